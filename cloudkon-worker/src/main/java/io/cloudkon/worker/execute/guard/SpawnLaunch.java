package io.cloudkon.worker.execute.guard;

import io.cloudkon.worker.execute.spawn.OutputSink;
import io.cloudkon.worker.execute.spawn.SpawnOrder;
import io.cloudkon.worker.execute.spawn.SpawnedChild;
import io.cloudkon.worker.execute.spawn.Spawner;
import io.cloudkon.worker.execute.spawn.Variables;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts commands without a shell in between. The guard finds their groups in a register that it
 * can read, and their mark in their environment. Thread safe.
 */
final class SpawnLaunch implements AutoCloseable {
  private final Spawner spawner;
  private final StartRule rule;
  private final Variables inherited;
  private final String path;
  private final GroupRegister register = new GroupRegister();

  /** A launch by this rule, with a register of its own; null if commands cannot be spawned. */
  static @Nullable SpawnLaunch ofThisMachine(StartRule rule) throws IOException {
    Spawner spawner = Spawner.ofThisMachine().orElse(null);
    return spawner == null ? null : new SpawnLaunch(spawner, rule);
  }

  private SpawnLaunch(Spawner spawner, StartRule rule) throws IOException {
    this.spawner = spawner;
    this.rule = rule;
    TaskUser user = rule.user();
    this.inherited =
        new Variables(rule.environment()::passes, user == null ? Map.of() : user.environment());
    this.path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
  }

  GroupRegister register() {
    return register;
  }

  StartRule rule() {
    return rule;
  }

  /** Prepares a command without starting it; null if so many run that the register is full. */
  @Nullable SpawnedProcess prepare(
      GuardShells shells,
      List<String> argv,
      Path directory,
      Map<String, String> environment,
      Map<String, String> marked,
      String mark) {
    int place = register.take();
    if (place == 0) {
      return null;
    }
    Map<String, String> own = rule.early(environment, marked);
    Path start = directory.toAbsolutePath();
    List<String> words = rule.spawned(argv, environment);
    String file = file(words.getFirst(), start, environment.getOrDefault("PATH", path));
    return new SpawnedProcess(shells, this, mark, place, new Order(file, words, start, own));
  }

  /** The program's file; if there is none, the name itself, which the shell then reports. */
  private static String file(String program, Path directory, String path) {
    if (program.indexOf('/') < 0) {
      for (String place : path.split(File.pathSeparator, -1)) {
        try {
          Path candidate = directory.resolve(place).resolve(program);
          if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
            return candidate.toString();
          }
        } catch (InvalidPathException e) {
          // not a valid folder
        }
      }
    }
    return program;
  }

  /** The properties of a command that are known before it starts. */
  record Order(String file, List<String> argv, Path directory, Map<String, String> own) {}

  /** Starts a command, in this thread. */
  SpawnedChild spawn(Order order, byte[] stdin, int lifeline, OutputSink out, OutputSink err)
      throws IOException {
    TaskUser user = rule.user();
    return spawner.spawn(
        new SpawnOrder(
            order.file(),
            order.argv(),
            order.directory(),
            inherited,
            order.own(),
            stdin,
            user == null ? -1 : user.uid(),
            lifeline),
        out,
        err);
  }

  @Override
  public void close() {
    register.close();
  }
}
