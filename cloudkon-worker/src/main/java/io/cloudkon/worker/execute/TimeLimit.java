package io.cloudkon.worker.execute;

import io.cloudkon.core.config.Durations;

/**
 * The time limit of a task: the one that it asks for, or its worker's if that is shorter.
 *
 * @param millis the limit in milliseconds; 0 means none
 * @param asked the task's own limit in milliseconds; 0 means none
 */
record TimeLimit(long millis, long asked) {

  /**
   * The shorter of the two limits.
   *
   * @param most the worker's {@code --max-timeout} in milliseconds; 0 if it has none
   */
  static TimeLimit of(long asked, long most) {
    boolean capped = most > 0 && (asked == 0 || asked > most);
    return new TimeLimit(capped ? most : asked, asked);
  }

  Deadline deadline() {
    return Deadline.ofTimeout(millis);
  }

  /** The error of a task that exceeded this limit. */
  String exceeded() {
    if (millis == asked) {
      return "exceeded its time limit of " + Durations.inWords(millis);
    }
    return "exceeded its worker's --max-timeout of %s; %s"
        .formatted(
            Durations.inWords(millis),
            asked == 0
                ? "it has no time limit of its own"
                : "its own limit is " + Durations.inWords(asked));
  }
}
