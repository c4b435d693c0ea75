package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;

/** Tracks which starts a bundle's owner has requested its claim to record. */
final class Starts {
  private Positions asked = Positions.none();

  /** The starts that were requested and not taken back. */
  Positions asked() {
    return asked;
  }

  /** Sets the requested starts to exactly these. */
  void are(Positions starts) {
    asked = starts;
  }

  /** Takes these starts back. */
  void takeBack(Positions starts) {
    asked = asked.minus(starts);
  }

  /** Requests these starts; returns those that were not requested already. */
  Positions ask(Positions starts) {
    if (starts.minus(asked).isEmpty()) {
      return Positions.none();
    }
    asked = asked.plus(starts);
    return starts;
  }

  /**
   * In at-most-once, requests more starts before the recorded ones are used up; returns an empty
   * set while enough are left.
   *
   * @param pending the tasks that wait for a slot
   * @param recorded the durable starts; a start that is being taken back is not requested again
   *     before that is durable
   * @param startsAhead how many may be recorded in advance
   */
  Positions ahead(Positions pending, Positions recorded, int startsAhead) {
    Positions notAsked = pending.minus(asked).minus(recorded);
    if (notAsked.isEmpty() || pending.common(asked).size() * 2 > startsAhead) {
      return Positions.none();
    }
    return ask(notAsked.first(Math.max(1, startsAhead)));
  }
}
