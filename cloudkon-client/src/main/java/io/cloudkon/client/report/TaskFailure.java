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
 * @param stderrOf whose standard error is shown, {@code rank 2} of an HPC job; empty for the task's
 *     own
 * @param stderrEnd the last lines of what is kept of it, at most {@link #LINES}
 */
public record TaskFailure(
    String task, TaskStatus status, String error, String stderrOf, List<String> stderrEnd) {
  /** How many lines of standard error are shown. */
  public static final int LINES = 5;

  private static final int END_BYTES = 4096;

  /**
   * From so high an exit code on, a signal ended the process: as others are when one has failed.
   */
  private static final int SIGNALLED = 128;

  public TaskFailure {
    stderrEnd = List.copyOf(stderrEnd);
  }

  /** A task of which its own standard error is shown. */
  TaskFailure(String task, TaskStatus status, String error, List<String> stderrEnd) {
    this(task, status, error, "", stderrEnd);
  }

  /** What is to be shown of this result. */
  static TaskFailure of(TaskResult result) {
    return of(
        result.id(), result.status(), result.error(), lastLines(result.stderr()), result.ranks());
  }

  /** The same of a result that was read back. */
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

  /** The rank that says most likely what went wrong: one that failed, and was not just killed. */
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
