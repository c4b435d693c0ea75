package io.cloudkon.worker.execute.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * With what rights programs start: the one rule for tasks, ranks, mpiexec and all that a worker
 * runs on their behalf. Immutable.
 *
 * @param environment which of the worker's variables they inherit
 * @param user as whom they run; null means as the worker
 */
public record StartRule(InheritedVariables environment, @Nullable TaskUser user) {
  private static final String OOM_SCORE = "500";

  /** As the worker, with all that it has. */
  public static final StartRule AS_THE_WORKER = new StartRule(InheritedVariables.WHOLE, null);

  /** What a program finds in its environment before its task's own variables come. */
  public Map<String, String> inherited() {
    Map<String, String> inherited = new HashMap<>(System.getenv());
    apply(inherited);
    return inherited;
  }

  /** Takes from a worker's environment what is withheld, and adds what the user's differs in. */
  void apply(Map<String, String> workers) {
    environment.strip(workers);
    if (user != null) {
      workers.putAll(user.environment());
    }
  }

  /**
   * Sets what a process of the worker's is to have before it becomes its task's: of a cluster's
   * workers it is ended for want of memory before the worker is.
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
   * The same of a process that is its task's already, and has its user's pipes: what it has started
   * until it had it gets it, too.
   */
  void settleRunning(long pid) {
    if (!environment.whole()) {
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
        // it has ended, or this kernel does not tell
      }
    }
  }

  private static boolean endFirst(String pid) {
    try {
      Files.writeString(Path.of("/proc", pid, "oom_score_adj"), OOM_SCORE);
      return true;
    } catch (IOException e) {
      return false; // macOS has none; and a process that has ended needs none
    }
  }

  /** What to execute so that in the end this runs, as the user. */
  List<String> command(List<String> argv) {
    return user == null ? argv : user.command(argv);
  }
}
