package io.cloudkon.simulator.client;

import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.time.Moment;

/** Tells a resumed client's completeness what the journal of its run shows. Stateless. */
final class SimRestoration {
  private SimRestoration() {}

  /**
   * Tells it.
   *
   * @param nowMicros on the timeline, on which the journal's stamps are
   * @param now the same, by the client's clocks
   */
  static void restore(
      SimJournal journal, CompletenessMachine completeness, long nowMicros, Moment now) {
    completeness.resumed();
    for (int sequence = 0; sequence < journal.bundles(); sequence++) {
      int unused = completeness.bundle(journal.count(sequence));
    }
    // What was cancelled before it was in a bundle is settled, and nobody's to account for.
    journal.results().stream()
        .filter(ordinal -> ordinal < journal.tasks())
        .forEach(completeness::restoreFinal);
    journal.lost().stream().forEach(completeness::restoreLost);
    for (int sequence = 0; sequence < journal.bundles(); sequence++) {
      if (journal.isConfirmed(sequence)) {
        completeness.restoreSent(sequence, (nowMicros - journal.sentAt(sequence)) / 1000, now);
      }
    }
  }
}
