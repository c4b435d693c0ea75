package io.cloudkon.client.session;

import io.cloudkon.client.report.Wording;

/** The progress of a run, for a user whose client leaves. Immutable. */
record Outstanding(long sent, long tasks, long finished) {

  /**
   * The numbers in words.
   *
   * @param continues whether the tasks that were sent continue without this client
   */
  String text(boolean continues) {
    if (!continues) {
      return "%,d of %s finished; the others were stopped or had not started"
          .formatted(finished, Wording.count(tasks, "task"));
    }
    long open = Math.max(0, sent - finished);
    return "%,d of %s sent, %,d finished; %,d %s without this client"
        .formatted(
            sent,
            Wording.count(tasks, "task"),
            finished,
            open,
            open == 1 ? "continues" : "continue");
  }
}
