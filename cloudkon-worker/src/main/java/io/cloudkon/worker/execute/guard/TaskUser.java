package io.cloudkon.worker.execute.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.worker.execute.spawn.PendingStarts;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Another user of this machine, as whom commands run. {@code setpriv} becomes that user and gives
 * up every capability, and the means to gain one, before the command starts. The worker never
 * touches that user's files with its own rights, because a task could put a link in its way; a
 * process of the user does it instead. Created by {@link TaskUserTrial}. Immutable and thread safe.
 *
 * @param setpriv the path of the program
 * @param name the user's name
 * @param uid the user's number
 * @param gid the number of the user's group
 * @param home the user's home directory
 */
public record TaskUser(Path setpriv, String name, int uid, int gid, String home) {
  /**
   * The permissions of a worker's folder through which tasks reach the folders whose names they
   * know.
   */
  public static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x--x");

  private static final long HELP_SECONDS = 60;

  /** Removes everything, even if a task has closed its own folders to itself. */
  private static final String EMPTY =
      """
      rm -rf -- "$@" || { chmod -R u+rwx -- "$@"; rm -rf -- "$@"; }
      exit 0
      """;

  /**
   * The command to execute so that these arguments finally run as the user, without capabilities.
   */
  List<String> command(List<String> argv) {
    List<String> command =
        new ArrayList<>(
            List.of(
                setpriv.toString(),
                "--reuid=" + uid,
                "--regid=" + gid,
                "--init-groups",
                "--no-new-privs",
                "--inh-caps=-all",
                "--ambient-caps=-all",
                "--bounding-set=-all",
                "--"));
    command.addAll(argv);
    return command;
  }

  /** The variables that a login would set. */
  Map<String, String> environment() {
    return Map.of("HOME", home, "USER", name, "LOGNAME", name);
  }

  /**
   * Gives a file, or a folder with its content, to the user. The worker's group gets the
   * permissions that the worker had. Requires {@code CAP_CHOWN}.
   *
   * @param tree a tree that the worker has made, and that has been closed to the user so far
   */
  public void give(Path tree) throws IOException {
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            return given(file, attributes.isSymbolicLink());
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException why)
              throws IOException {
            if (why != null) {
              throw why;
            }
            return given(folder, false);
          }
        });
  }

  private FileVisitResult given(Path path, boolean link) throws IOException {
    if (!link) {
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(path);
      add(mode, PosixFilePermission.OWNER_READ, PosixFilePermission.GROUP_READ);
      add(mode, PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE);
      add(mode, PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE);
      Files.setPosixFilePermissions(path, mode);
    }
    Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
    return FileVisitResult.CONTINUE;
  }

  private static void add(
      Set<PosixFilePermission> mode, PosixFilePermission owner, PosixFilePermission group) {
    if (mode.contains(owner)) {
      mode.add(group);
    }
  }

  /**
   * Gives the pipes of a process to the user, so that it can reopen them as {@code /dev/stderr}.
   *
   * @param pid the number of a process that is still the worker's
   */
  void givePipes(long pid) {
    for (int i = 0; i <= 2; i++) {
      try {
        Files.setAttribute(Path.of("/proc", Long.toString(pid), "fd", "" + i), "unix:uid", uid);
      } catch (IOException | UnsupportedOperationException e) {
        // few programs reopen them
      }
    }
  }

  /**
   * Removes the content of a user's folder, as the user. The folder itself stays, because it lies
   * in a folder of the worker. Returns when that is done; files that cannot be removed stay.
   */
  public void empty(Path folder) throws IOException {
    List<String> argv = List.of("/bin/sh", "-c", EMPTY, "cloudkon", folder.toString());
    ProcessBuilder builder =
        new ProcessBuilder(command(argv))
            .directory(Path.of("/").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    new StartRule(InheritedVariables.withoutCredentials(Set.of()), this)
        .apply(builder.environment());
    Process process = PendingStarts.OF_THIS_PROCESS.during(builder::start);
    try {
      process.getOutputStream().close();
      if (!process.waitFor(HELP_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("user " + name + " did not finish removing " + folder);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!Thread.currentThread().isInterrupted()) {
        process.destroyForcibly();
      }
    }
  }

  /** A line for the guard's script that defines how it runs commands as this user. */
  static String asUser(@Nullable TaskUser user) {
    if (user == null) {
      return "as() { \"$@\"; }\n";
    }
    StringBuilder line = new StringBuilder("as() { ");
    for (String word : user.command(List.of())) {
      line.append('\'').append(word.replace("'", "'\\''")).append("' ");
    }
    return line.append("\"$@\"; }\n").toString();
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8).strip();
  }
}
