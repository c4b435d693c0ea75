package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.protocol.intake.IntakeLoad;
import io.cloudkon.core.protocol.intake.IntakeMachine;
import io.cloudkon.core.time.Moment;

/**
 * The time of a worker's next decision that follows from no event: to request a claim or a bundle
 * in time for the next free slot. Pure; used by one thread at a time.
 */
final class NextDecision {
  private final Slots slots;
  private final IntakeMachine intake;

  NextDecision(Slots slots, IntakeMachine intake) {
    this.slots = slots;
    this.intake = intake;
  }

  /** In how many microseconds it is due; infinite if every decision waits for an event. */
  double inMicros(IntakeLoad load, Moment now) {
    double claim = load.held() > 0 ? until(intake.claimCover(), now) : Double.POSITIVE_INFINITY;
    double receive = intake.watching() ? until(intake.cover(), now) : Double.POSITIVE_INFINITY;
    return Math.min(claim, receive);
  }

  /** The estimated time until one more slot is free within that many microseconds. */
  private double until(double micros, Moment now) {
    return slots.after(now, micros) - micros;
  }
}
