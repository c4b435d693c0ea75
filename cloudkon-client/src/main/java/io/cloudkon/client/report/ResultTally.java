package io.cloudkon.client.report;

import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How tasks ended, and what the first of those say that did not succeed. Not thread safe. */
final class ResultTally {
  /** How many failures are kept for the short report. */
  private static final int FAILURES_SHOWN = 3;

  /** A shell's exit code for a command that is not there. */
  private static final int NOT_FOUND = 127;

  private final Map<TaskStatus, Long> counts = new EnumMap<>(TaskStatus.class);
  private final List<TaskFailure> failures = new ArrayList<>();
  private FileCounts files = FileCounts.NONE;
  private long retried;
  private long notFound;
  private long outputsCut;

  /** One more. */
  void add(TaskResult result) {
    add(result.status(), result.tries());
    files = files.plus(FileCounts.of(result.files()));
    outputsCut += isCut(result) ? 1 : 0;
    if (result.status() == TaskStatus.FAILED && result.exitCode() == NOT_FOUND) {
      notFound++;
    }
    if (isShown(result.status())) {
      failures.add(TaskFailure.of(result));
    }
  }

  /** One that a former client of the run has written. */
  void add(ResultRecord result) {
    add(result.status(), result.tries());
    files = files.plus(result.files());
    outputsCut += result.outputCut() ? 1 : 0;
    if (isShown(result.status())) {
      failures.add(TaskFailure.of(result));
    }
  }

  private static boolean isCut(TaskResult result) {
    return result.stdoutBytes() > result.stdout().length
        || result.stderrBytes() > result.stderr().length
        || result.outputBytes() > result.output().length;
  }

  private void add(TaskStatus status, int tries) {
    counts.merge(status, 1L, Long::sum);
    retried += tries > 1 ? 1 : 0;
  }

  private boolean isShown(TaskStatus status) {
    return status != TaskStatus.SUCCEEDED
        && status != TaskStatus.CANCELLED
        && failures.size() < FAILURES_SHOWN;
  }

  long of(TaskStatus status) {
    return counts.getOrDefault(status, 0L);
  }

  /** The files that tasks brought back. */
  FileCounts files() {
    return files;
  }

  /** Tasks of whose output more came than was kept. */
  long outputsCut() {
    return outputsCut;
  }

  /** Tasks that were tried more than once within one attempt. */
  long retried() {
    return retried;
  }

  /** Those of this client's time whose command was not found, as a shell says. */
  long notFound() {
    return notFound;
  }

  /** The first few that failed, timed out or were lost, in order of arrival. */
  List<TaskFailure> failures() {
    return List.copyOf(failures);
  }
}
