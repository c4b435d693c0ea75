package io.cloudkon.client.answers;

import java.util.List;

/**
 * A task as a person sent it. Immutable.
 *
 * @param command its command
 * @param values the values that {@code run} put into the command, or the workload's {@code values}
 */
record SentTask(String command, List<String> values) {
  /** A task whose workload can no longer be read. */
  static final SentTask UNKNOWN = new SentTask("", List.of());

  SentTask {
    values = List.copyOf(values);
  }
}
