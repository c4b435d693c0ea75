package io.cloudkon.worker.execute;

/**
 * How long a task may run: what it asks for, but no longer than its worker lets it.
 *
 * @param millis milliseconds; 0 means for ever
 * @param asked what the task itself has, in milliseconds; 0 means for ever
 */
record TimeLimit(long millis, long asked) {

  /**
   * The shorter of both.
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

  /** What the result says of a task that ran longer. */
  String exceeded() {
    if (millis == asked) {
      return "exceeded its time limit of " + millis + " ms";
    }
    return "exceeded its worker's --max-timeout of %d ms, %s"
        .formatted(
            millis,
            asked == 0
                ? "having no time limit of its own"
                : "its own limit being " + asked + " ms");
  }
}
