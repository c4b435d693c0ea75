package io.cloudkon.worker.execute.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rights with which programs start: one rule for tasks, ranks, mpiexec and everything that a
 * worker runs on their behalf. Immutable.
 *
 * @param environment the worker's variables that they inherit
 * @param user the user as whom they run; null means as the worker
 */
public record StartRule(InheritedVariables environment, @Nullable TaskUser user) {
  private static final String OOM_SCORE = "500";

  /** A shell that sets its own score, and becomes the command. */
  private static final String SET_OWN_SCORE =
      "echo " + OOM_SCORE + " 2>/dev/null >/proc/self/oom_score_adj; exec \"$@\"";

  /** Programs start as the worker, with all its variables. */
  public static final StartRule AS_THE_WORKER = new StartRule(InheritedVariables.WHOLE, null);

  /** The environment of a program before its task's own variables are added. */
  public Map<String, String> inherited() {
    Map<String, String> inherited = new HashMap<>(System.getenv());
    apply(inherited);
    return inherited;
  }

  /** Removes withheld variables from a worker's environment, and adds the user's own ones. */
  void apply(Map<String, String> workers) {
    environment.strip(workers);
    if (user != null) {
      workers.putAll(user.environment());
    }
  }

  /**
   * Prepares a process of the worker before it becomes the task's. On a cluster's worker, it is
   * killed for lack of memory before the worker is.
   */
  void settle(long pid) {
    if (!environment.whole()) {
      endFirst(Long.toString(pid));
    }
    if (user != null) {
      user.givePipes(pid);
    }
  }

  /**
   * Prepares a process that is already its task's, and has its user's pipes. Processes that it has
   * started meanwhile are included. As another user, it has prepared itself ({@link #spawned}).
   */
  void settleRunning(long pid) {
    if (!environment.whole() && user == null) {
      settleTree(Long.toString(pid));
    }
  }

  private static void settleTree(String pid) {
    if (endFirst(pid)) {
      try {
        String children = Files.readString(Path.of("/proc", pid, "task", pid, "children"));
        if (!children.isBlank()) {
          List.of(children.strip().split(" +", -1)).forEach(StartRule::settleTree);
        }
      } catch (IOException e) {
        // it has ended, or this kernel does not show them
      }
    }
  }

  private static boolean endFirst(String pid) {
    try {
      Files.writeString(Path.of("/proc", pid, "oom_score_adj"), OOM_SCORE);
      return true;
    } catch (IOException e) {
      return false; // macOS has no such file, and a process that has ended needs none
    }
  }

  /**
   * The command to execute so that these arguments finally run as the user.
   *
   * @param environment the task's variables; only the task itself gets them, because with some of
   *     them (LD_PRELOAD) it could run code in what still has the worker's rights
   */
  List<String> command(List<String> argv, Map<String, String> environment) {
    return user == null ? argv : user.command(setBy(argv, environment));
  }

  private static List<String> setBy(List<String> argv, Map<String, String> environment) {
    List<String> words = new ArrayList<>(List.of("/usr/bin/env", "--"));
    environment.forEach((name, value) -> words.add(name + '=' + value));
    if (argv.getFirst().indexOf('=') >= 0) {
      words.addAll(List.of("/bin/sh", "-c", "exec \"$@\"", "cloudkon")); // else it were a variable
    }
    words.addAll(argv);
    return words;
  }

  /**
   * Those variables that a process may have from its first instruction on.
   *
   * @param environment all of the command
   * @param marked those of them that are the guard's
   */
  Map<String, String> early(Map<String, String> environment, Map<String, String> marked) {
    return user == null ? environment : marked;
  }

  /**
   * The same command if it is not held before it starts: as another user it soon belongs to that
   * one, and the worker may not set its score any more.
   */
  List<String> spawned(List<String> argv, Map<String, String> environment) {
    List<String> command = command(argv, environment);
    if (user == null || this.environment.whole()) {
      return command;
    }
    List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", SET_OWN_SCORE, "cloudkon"));
    words.addAll(command);
    return words;
  }
}
