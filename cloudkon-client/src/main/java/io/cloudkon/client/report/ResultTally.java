package io.cloudkon.client.report;

import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts how tasks ended, and keeps a few failures. Not thread safe. */
final class ResultTally {
  /** A shell's exit code for a command that is not found. */
  private static final int NOT_FOUND = 127;

  private final Map<TaskStatus, AtomicLong> counts = new EnumMap<>(TaskStatus.class);
  private final ShownFailures failures = new ShownFailures();
  private FileCounts files = FileCounts.NONE;
  private long retried;
  private long notFound;
  private long outputsCut;

  /** Adds a result. */
  void add(TaskResult result) {
    add(result.status(), result.tries());
    if (!result.files().isNone()) {
      files = files.plus(FileCounts.of(result.files()));
    }
    outputsCut += isCut(result) ? 1 : 0;
    if (result.status() == TaskStatus.FAILED && result.exitCode() == NOT_FOUND) {
      notFound++;
    }
    boolean silent = result.stderr().length == 0 && result.ranks().isEmpty();
    if (shows(result.ordinal(), result.id(), result.status(), result.error(), silent)) {
      failures.add(result.ordinal(), TaskFailure.of(result));
    }
  }

  /** Adds a result that a former client of the run has written. */
  void add(ResultRecord result) {
    add(result.status(), result.tries());
    files = files.plus(result.files());
    outputsCut += result.outputCut() ? 1 : 0;
    boolean silent = result.stderr().isEmpty() && result.ranks().isEmpty();
    if (shows(result.index(), result.task(), result.status(), result.error(), silent)) {
      failures.add(result.index(), TaskFailure.of(result));
    }
  }

  /** Whether a result is one of the failures to show; counts it if one like it is shown. */
  private boolean shows(int index, String task, TaskStatus status, String error, boolean silent) {
    return !(silent && failures.counts(index, task, status, error))
        && failures.wants(index, status, error);
  }

  private static boolean isCut(TaskResult result) {
    return result.stdoutBytes() > result.stdout().length
        || result.stderrBytes() > result.stderr().length
        || result.outputBytes() > result.output().length;
  }

  private void add(TaskStatus status, int tries) {
    counts.computeIfAbsent(status, any -> new AtomicLong()).incrementAndGet();
    retried += tries > 1 ? 1 : 0;
  }

  long of(TaskStatus status) {
    AtomicLong count = counts.get(status);
    return count == null ? 0 : count.get();
  }

  /** The files that tasks brought back. */
  FileCounts files() {
    return files;
  }

  /** The number of tasks whose output was cut. */
  long outputsCut() {
    return outputsCut;
  }

  /** The number of tasks that were tried more than once within one attempt. */
  long retried() {
    return retried;
  }

  /**
   * The number of tasks whose command the shell did not find; does not count results of former
   * clients.
   */
  long notFound() {
    return notFound;
  }

  /** A few that failed, timed out or were lost, in the order of the workload. */
  List<TaskFailure> failures() {
    return failures.list();
  }
}
