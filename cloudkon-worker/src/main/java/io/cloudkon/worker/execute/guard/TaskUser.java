package io.cloudkon.worker.execute.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

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
 * Another user of this machine, as whom commands run: {@code setpriv} becomes that user, and gives
 * up every capability and the means to gain one before the command starts. Of what belongs to that
 * user the worker touches nothing by its own rights, as a task could put a link in its way: it asks
 * a process of the user to. {@link TaskUserTrial} makes one. Immutable and thread safe.
 *
 * @param setpriv the program
 * @param name as on the command line
 * @param uid its number
 * @param gid its group's number
 * @param home its directory
 */
public record TaskUser(Path setpriv, String name, int uid, int gid, String home) {
  /** Of a folder of the worker's through which tasks reach those that they know the names of. */
  public static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x--x");

  private static final long HELP_SECONDS = 60;

  /** A task may have closed its own folders to itself. */
  private static final String EMPTY =
      """
      rm -rf -- "$@" || { chmod -R u+rwx -- "$@"; rm -rf -- "$@"; }
      exit 0
      """;

  /** What to execute so that in the end this runs, as the user and without any capability. */
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

  /** What a login would set. */
  Map<String, String> environment() {
    return Map.of("HOME", home, "USER", name, "LOGNAME", name);
  }

  /**
   * Makes a file, or a folder with all that is in it, the user's; the worker's group keeps the
   * rights that the worker had. Takes {@code CAP_CHOWN}.
   *
   * @param tree of the worker's own making, and so far closed to the user
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
   * Makes the pipes of a process the user's, which it may open again as {@code /dev/stderr}.
   *
   * @param pid of a process that is still the worker's
   */
  void givePipes(long pid) {
    for (int i = 0; i <= 2; i++) {
      try {
        Files.setAttribute(Path.of("/proc", Long.toString(pid), "fd", "" + i), "unix:uid", uid);
      } catch (IOException | UnsupportedOperationException e) {
        // few programs open them again
      }
    }
  }

  /**
   * Removes what is in a folder of the user's, as the user; the folder itself stays, as it lies in
   * one of the worker's. Returns when that is done; what cannot be removed stays.
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
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(HELP_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("user " + name + " does not get done with removing " + folder);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!Thread.currentThread().isInterrupted()) {
        process.destroyForcibly();
      }
    }
  }

  /** A line for the guard's script, by which it does things as this user. */
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
