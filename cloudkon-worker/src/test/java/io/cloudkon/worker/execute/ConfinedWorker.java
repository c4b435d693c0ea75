package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.hpc.rank.Mailbox;
import io.cloudkon.hpc.rank.RankCommunicator;
import io.cloudkon.worker.execute.guard.InheritedVariables;
import io.cloudkon.worker.execute.guard.StartRule;
import io.cloudkon.worker.execute.guard.TaskUserTrial;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A JVM with variables and a user of its own, which runs commands as a cluster's worker does and
 * prints what came of them.
 */
final class ConfinedWorker {
  /** What a worker needs as a user without rights. */
  static final List<String> AMBIENT = List.of("setuid", "setgid", "setpcap", "kill", "chown");

  private static final String NONE = "-";
  private static final Pattern NEEDED =
      Pattern.compile("(cloudkon-(core|hpc)|slf4j-api|picocli|protobuf|jspecify)[^/]*[.]jar$");

  private ConfinedWorker() {}

  /**
   * Runs one and returns all that it printed.
   *
   * @param prefix in front of java, as another user
   * @param classPath by which that user finds this class
   * @param rule local, cluster, or names that pass, with commas
   * @param user of the commands; empty for none
   * @param what exec, program, preloaded, timed, rank, mpiexec or ship
   */
  static String run(
      List<String> prefix,
      String classPath,
      Map<String, String> environment,
      Path temp,
      String rule,
      String user,
      String what,
      String line)
      throws IOException, InterruptedException {
    return run("spawn", prefix, classPath, environment, temp, rule, user, what, line);
  }

  /** The same, whose commands start so ({@code -Dcloudkon.launch}). */
  static String run(
      String launch,
      List<String> prefix,
      String classPath,
      Map<String, String> environment,
      Path temp,
      String rule,
      String user,
      String what,
      String line)
      throws IOException, InterruptedException {
    List<String> argv = new ArrayList<>(prefix);
    argv.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Dslf4j.internal.verbosity=ERROR",
            "--enable-native-access=ALL-UNNAMED",
            "-Dcloudkon.launch=" + launch,
            "-Djava.io.tmpdir=" + temp,
            "-cp",
            classPath,
            ConfinedWorker.class.getName(),
            rule,
            user.isEmpty() ? NONE : user,
            what,
            line));
    ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return printed;
  }

  /** This JVM's class path as far as it is needed, copied to where every user can read it. */
  static String readable(Path folder) throws IOException, TaskInterruptedException {
    List<String> copies = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path original = Path.of(entry);
      boolean ours = Files.isDirectory(original) && Files.exists(original.resolve("io/cloudkon"));
      if (ours || NEEDED.matcher(entry).find()) {
        Path copy = folder.resolve(copies.size() + "-" + original.getFileName());
        FileTrees.copy(original, copy, new Interruption());
        copies.add(copy.toString());
      }
    }
    return String.join(File.pathSeparator, copies);
  }

  public static void main(String[] args) throws Exception {
    try {
      InheritedVariables environment =
          switch (args[0]) {
            case "local" -> InheritedVariables.WHOLE;
            case "cluster" -> InheritedVariables.withoutCredentials(Set.of());
            default -> InheritedVariables.withoutCredentials(Set.of(args[0].split(",")));
          };
      StartRule rule =
          new StartRule(environment, args[1].equals(NONE) ? null : TaskUserTrial.of(args[1]));
      RunnerConfig config =
          new RunnerConfig(
              RunnerConfig.DEFAULT.allowed(), 1 << 20, null, Runs.CONFIG.guardDeadline(), rule, 0);
      try (TaskRunner runner =
          new TaskRunner(config, HandlerRegistry.builtIn(), Clock.systemUTC(), t -> {})) {
        System.out.println("scratch " + runner.scratch());
        TaskOutcome outcome = outcome(runner, args[2], args[3]);
        System.out.print(new String(outcome.stdout(), UTF_8));
        System.out.print(new String(outcome.stderr(), UTF_8));
        System.out.println(outcome.usage().cpuMicros() > 0 ? "spawned" : "behind a shell");
        System.out.println(outcome.status() + " " + outcome.exitCode() + " " + outcome.error());
      }
      System.out.println("closed");
    } catch (UsageException e) {
      System.out.println(e.getMessage());
    }
    System.exit(0);
  }

  private static TaskOutcome outcome(TaskRunner runner, String what, String line)
      throws TaskInterruptedException, NotStartedException {
    Interruption none = new Interruption();
    TaskEnvironment around = TaskEnvironment.bare("a-run", 1 << 20);
    Task mpi = new Task(0, "mpi", new Work.Hpc(1, true, Work.Exec.shell(line)), 0);
    return switch (what) {
      case "exec" -> runner.run(around, Tasks.shell(line), none);
      case "program" -> runner.run(around, Tasks.argv(line), none);
      case "preloaded" -> {
        var all = Map.of("LD_PRELOAD", "/none.so", "CLOUDKON_GUARD", "mine", "OWN", "a b");
        yield runner.run(around, Tasks.shell(line, all), none);
      }
      case "timed" -> runner.run(around, Tasks.timed(Work.Exec.shell(line), 500), none);
      case "rank" -> {
        var world = new RankCommunicator(0, 1, (to, frame) -> {}, new Mailbox(1));
        yield runner.run(around, mpi, none, new RankPlace("job", 0, 1, world, line));
      }
      case "mpiexec" -> runner.mpiexec(around, mpi, none, new MpiJob(1, "127.0.0.1"));
      default ->
          runner.run(
              new TaskEnvironment("a-run", 1 << 20, List.of(Path.of(what)), own -> own),
              Tasks.shell(line),
              none);
    };
  }
}
