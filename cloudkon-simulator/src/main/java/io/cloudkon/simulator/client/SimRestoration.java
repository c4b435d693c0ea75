package io.cloudkon.simulator.client;

import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.time.Moment;

/** Restores a resumed client's completeness machine from the journal of its run. Stateless. */
final class SimRestoration {
  private SimRestoration() {}

  /**
   * Restores the machine.
   *
   * @param nowMicros the time on the timeline, which the journal's timestamps use
   * @param now the same time by the client's clocks
   */
  static void restore(
      SimJournal journal, CompletenessMachine completeness, long nowMicros, Moment now) {
    completeness.resumed();
    for (int sequence = 0; sequence < journal.bundles(); sequence++) {
      int unused = completeness.bundle(journal.count(sequence));
    }
    // Tasks that were cancelled before they were in a bundle are settled; nobody accounts for them.
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
