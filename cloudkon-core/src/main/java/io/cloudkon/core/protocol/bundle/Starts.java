package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;

/** Tracks which starts a bundle's owner has asked its claim to record. */
final class Starts {
  private Positions asked = Positions.none();

  /** Those that were asked for, and not taken back. */
  Positions asked() {
    return asked;
  }

  /** These, and no others. */
  void are(Positions starts) {
    asked = starts;
  }

  /** These are taken back. */
  void takeBack(Positions starts) {
    asked = asked.minus(starts);
  }

  /** Asks for these; none if all of them were asked for already. */
  Positions ask(Positions starts) {
    if (starts.minus(asked).isEmpty()) {
      return Positions.none();
    }
    asked = asked.plus(starts);
    return starts;
  }

  /**
   * At-most-once: asks for more before the recorded ones are used up; none while enough are left.
   *
   * @param pending tasks that wait for a slot
   * @param recorded starts that are durable: one that is being taken back is not asked for before
   *     that is durable
   * @param startsAhead how many may be recorded ahead
   */
  Positions ahead(Positions pending, Positions recorded, int startsAhead) {
    Positions notAsked = pending.minus(asked).minus(recorded);
    if (notAsked.isEmpty() || pending.common(asked).size() * 2 > startsAhead) {
      return Positions.none();
    }
    return ask(notAsked.first(Math.max(1, startsAhead)));
  }
}
