package io.cloudkon.client.report;

import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A task that did not succeed, as the short report shows it. Immutable.
 *
 * @param task its id
 * @param status how it ended
 * @param error why, in one line; may be empty
 * @param stderrEnd the last lines of what is kept of its standard error, at most {@link #LINES}
 */
public record TaskFailure(String task, TaskStatus status, String error, List<String> stderrEnd) {
  /** How many lines of standard error are shown. */
  public static final int LINES = 5;

  private static final int END_BYTES = 4096;

  public TaskFailure {
    stderrEnd = List.copyOf(stderrEnd);
  }

  /** What is to be shown of this result. */
  static TaskFailure of(TaskResult result) {
    byte[] stderr = result.stderr();
    int from = Math.max(0, stderr.length - END_BYTES);
    return new TaskFailure(
        result.id(),
        result.status(),
        result.error(),
        lastLines(new String(stderr, from, stderr.length - from, StandardCharsets.UTF_8)));
  }

  /** The same of a result that was read back. */
  static TaskFailure of(ResultRecord result) {
    String stderr = result.stderr();
    return new TaskFailure(
        result.task(),
        result.status(),
        result.error(),
        lastLines(stderr.substring(Math.max(0, stderr.length() - END_BYTES))));
  }

  private static List<String> lastLines(String text) {
    List<String> lines = text.stripTrailing().lines().toList();
    return lines.subList(Math.max(0, lines.size() - LINES), lines.size());
  }
}
