package io.cloudkon.client.report;

import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A task that did not succeed, as the short report shows it. Immutable.
 *
 * @param task its id
 * @param status how it ended
 * @param error why, in one line; may be empty
 * @param stderrOf the source of the standard error shown, such as {@code rank 2} of an HPC job;
 *     empty for the task itself
 * @param stderrEnd the last lines of its kept part, at most {@link #LINES}
 * @param alike the number of tasks that ended with this status and error, and without standard
 *     error, if this one did; at least 1
 */
public record TaskFailure(
    String task,
    TaskStatus status,
    String error,
    String stderrOf,
    List<String> stderrEnd,
    long alike) {
  /** The maximum number of lines of standard error that are shown. */
  public static final int LINES = 5;

  private static final int END_BYTES = 4096;

  /**
   * The lowest exit code of a process that a signal ended, as happens to other ranks when one
   * fails.
   */
  private static final int SIGNALLED = 128;

  public TaskFailure {
    stderrEnd = List.copyOf(stderrEnd);
  }

  /** A failure that stands for one task. */
  TaskFailure(
      String task, TaskStatus status, String error, String stderrOf, List<String> stderrEnd) {
    this(task, status, error, stderrOf, stderrEnd, 1);
  }

  /** The same failure, of one more task; shows that of the given id. */
  TaskFailure again(String task) {
    return new TaskFailure(task, status, error, stderrOf, stderrEnd, alike + 1);
  }

  /** A failure that shows the task's own standard error. */
  TaskFailure(String task, TaskStatus status, String error, List<String> stderrEnd) {
    this(task, status, error, "", stderrEnd);
  }

  /** The failure to show for a result. */
  static TaskFailure of(TaskResult result) {
    return of(
        result.id(), result.status(), result.error(), lastLines(result.stderr()), result.ranks());
  }

  /** The failure to show for a result that was read back. */
  static TaskFailure of(ResultRecord result) {
    String stderr = result.stderr();
    return of(
        result.task(),
        result.status(),
        result.error(),
        lastLines(stderr.substring(Math.max(0, stderr.length() - END_BYTES))),
        result.ranks());
  }

  private static TaskFailure of(
      String task, TaskStatus status, String error, List<String> own, List<RankResult> ranks) {
    Optional<RankResult> culprit = own.isEmpty() ? culprit(ranks) : Optional.empty();
    return culprit
        .map(rank ->
            new TaskFailure(task, status, error, "rank " + rank.rank(), lastLines(rank.stderr())))
        .orElseGet(() -> new TaskFailure(task, status, error, own));
  }

  /**
   * The rank that most likely explains the failure: preferably one that failed and was not killed.
   */
  private static Optional<RankResult> culprit(List<RankResult> ranks) {
    return ranks.stream()
        .filter(rank -> rank.stderr().length > 0)
        .min(Comparator.comparingInt(TaskFailure::innocence));
  }

  private static int innocence(RankResult rank) {
    return rank.exitCode() == 0 ? 2 : rank.exitCode() >= SIGNALLED ? 1 : 0;
  }

  private static List<String> lastLines(byte[] text) {
    int from = Math.max(0, text.length - END_BYTES);
    return lastLines(new String(text, from, text.length - from, StandardCharsets.UTF_8));
  }

  private static List<String> lastLines(String text) {
    List<String> lines = text.stripTrailing().lines().toList();
    return lines.subList(Math.max(0, lines.size() - LINES), lines.size());
  }
}
