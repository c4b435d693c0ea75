package io.cloudkon.worker.execute.guard;

import io.cloudkon.core.error.UsageException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the user of {@code --task-user}, and tests whether this worker has the rights that it
 * needs: to become that user, give files to it, have them removed, and kill its processes. Used
 * once.
 */
public final class TaskUserTrial {
  private static final Logger LOG = LoggerFactory.getLogger(TaskUserTrial.class);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*[$]?");
  private static final int ENTRY_FIELDS = 7;
  private static final long SECONDS = 5;

  /**
   * Prints its user and the number of its empty capability sets, leaves a file, and stays until its
   * input ends.
   */
  private static final String TRY =
      """
      id -u && grep -c '^Cap[A-Z][a-z]*:[[:space:]]*0*$' /proc/self/status && cd "$1" && echo >file && echo done && read -r line
      """;

  private final String name;
  private final Map<String, String> environment;

  private TaskUserTrial(String name, Map<String, String> environment) {
    this.name = name;
    this.environment = environment;
  }

  /**
   * Finds and tests the user.
   *
   * @throws UsageException that says what is missing
   */
  public static TaskUser of(String name) {
    return of(name, System.getenv());
  }

  static TaskUser of(String name, Map<String, String> environment) {
    return new TaskUserTrial(name, environment).found();
  }

  private TaskUser found() {
    if (!NAME.matcher(name).matches()) {
      throw wrong("expected the name of a user of this machine");
    }
    Path setpriv = setpriv();
    try {
      Run entry = run(List.of("getent", "passwd", name));
      List<String> fields = List.of(entry.out().split(":", -1));
      if (entry.exitCode() != 0 || fields.size() != ENTRY_FIELDS) {
        throw wrong("this machine has no such user; make one with: useradd --system " + name);
      }
      int uid = Integer.parseInt(fields.get(2));
      TaskUser user =
          new TaskUser(setpriv, fields.get(0), uid, Integer.parseInt(fields.get(3)), fields.get(5));
      long own = ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
      if (uid == 0) {
        throw wrong("root may read the worker's credentials; expected an unprivileged user");
      }
      if (uid == own) {
        throw wrong("the worker itself runs as this user, so tasks would have its permissions");
      }
      attempt(user);
      return user;
    } catch (IOException e) {
      throw wrong("it cannot be tried: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw wrong("interrupted while it was tried");
    }
  }

  private Path setpriv() {
    String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
    for (String directory : path.split(File.pathSeparator, -1)) {
      Path found = Path.of(directory, "setpriv");
      if (found.isAbsolute() && Files.isExecutable(found)) {
        return found;
      }
    }
    throw wrong("this needs Linux and setpriv (package util-linux), which is not on PATH " + path);
  }

  private void attempt(TaskUser user) throws IOException, InterruptedException {
    Path outer = Files.createTempDirectory("cloudkon-trial-");
    Path folder = Files.createTempDirectory(outer, "folder-");
    try {
      Files.setPosixFilePermissions(outer, TaskUser.PASSABLE);
      give(user, folder);
      become(user, folder);
      user.empty(folder);
      if (!Files.deleteIfExists(folder) || Files.exists(folder)) {
        throw wrong("its files in " + folder + " cannot be removed");
      }
    } finally {
      remove(folder.resolve("file"), folder, outer);
    }
  }

  /**
   * Removes files that a failed trial left. Errors are only logged, because the failure itself is
   * thrown.
   */
  private static void remove(Path... left) {
    for (Path path : left) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        LOG.debug("cannot remove {}", path, e);
      }
    }
  }

  private void give(TaskUser user, Path folder) {
    try {
      user.give(folder);
    } catch (IOException e) {
      throw wrong("the worker may not give files to it (CAP_CHOWN): " + e.getMessage());
    }
  }

  private void become(TaskUser user, Path folder) throws IOException, InterruptedException {
    List<String> argv = List.of("/bin/sh", "-c", TRY, "cloudkon", folder.toString());
    Process process = builder(user.command(argv)).start();
    try {
      var out = process.inputReader();
      String uid = out.readLine();
      if (uid == null) {
        throw wrong(
            "the worker may not switch to it (CAP_SETUID, CAP_SETGID, CAP_SETPCAP): "
                + TaskUser.text(process.getErrorStream().readAllBytes()));
      }
      String none = out.readLine();
      if (!uid.equals(Integer.toString(user.uid())) || !"5".equals(none)) {
        throw wrong(
            "its processes would keep privileges of the worker (CAP_SETPCAP): uid %s, %s of 5 sets of capabilities empty"
                .formatted(uid, none));
      }
      if (!"done".equals(out.readLine())) {
        throw wrong(
            "it cannot work in %s: %s"
                .formatted(folder, TaskUser.text(process.getErrorStream().readAllBytes())));
      }
      if (!Files.isReadable(Path.of("/proc", Long.toString(process.pid()), "stat"))) {
        throw wrong("/proc hides its processes (ProtectProc= of a unit, or mount option hidepid)");
      }
      process.toHandle().destroyForcibly();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw wrong("the worker may not end its processes (CAP_KILL)");
      }
    } finally {
      end(process);
    }
  }

  /**
   * Ends the process, which could otherwise still write into the folder that is to be removed. If
   * the worker may not kill it, the end of its input ends it.
   */
  private static void end(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.toHandle().destroyForcibly();
    }
  }

  private static ProcessBuilder builder(List<String> argv) {
    ProcessBuilder builder = new ProcessBuilder(argv);
    InheritedVariables.withoutCredentials(Set.of()).strip(builder.environment());
    return builder;
  }

  private record Run(int exitCode, String out) {}

  private static Run run(List<String> argv) throws IOException, InterruptedException {
    Process process = builder(argv).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    String out = TaskUser.text(process.getInputStream().readAllBytes());
    return new Run(process.waitFor(), out);
  }

  private UsageException wrong(String why) {
    return new UsageException("--task-user %s: %s".formatted(name, why));
  }
}
