package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.protocol.table.TransitionTable;
import org.jspecify.annotations.Nullable;

/** The phases of a claim from the point of view of one worker. */
public enum ClaimPhase {
  /** Nothing was requested yet. */
  UNCLAIMED,
  /** The acquisition is under way. */
  ACQUIRING,
  /**
   * In at-most-once, an expired owner was seen and is being succeeded; if the claim is released
   * meanwhile, it is acquired in the normal way.
   */
  SUCCEEDING,
  /**
   * The claim was granted, but the answer came too late to rely on: a renewal must confirm it
   * before any task starts.
   */
  CONFIRMING,
  /** This worker has the claim, to run its tasks. */
  LEASED,
  /** This worker has the claim, only to settle it. */
  LOSING,
  /** DONE is being written. */
  ENDING,
  /** The release is being written. */
  RELEASING,
  /** This worker has written DONE. */
  DONE,
  /** This worker has released the claim. */
  RELEASED,
  /** This worker never had the claim, because another one has it or it is DONE. */
  REFUSED,
  /** This worker has lost the claim, because the lease is over or another worker has it. */
  LOST;

  /** The state that the owner writes in this phase; null if it is no owner that writes. */
  @Nullable ClaimState written() {
    return switch (this) {
      case LEASED, CONFIRMING -> ClaimState.LEASED;
      case LOSING -> ClaimState.LOSING;
      case ENDING -> ClaimState.DONE;
      case RELEASING -> ClaimState.RELEASED;
      case UNCLAIMED, ACQUIRING, SUCCEEDING, DONE, RELEASED, REFUSED, LOST -> null;
    };
  }

  /** The triggers of transitions. */
  public enum Trigger {
    ACQUIRE,
    GRANTED,
    GRANTED_LATE,
    CONFIRMED,
    SAW_EXPIRED,
    GRANTED_LOSING,
    SAW_OTHER,
    SAW_DONE,
    END,
    ENDED,
    RELEASE,
    RELEASED,
    FENCED,
    LEASE_OVER
  }

  /** The permitted transitions. */
  public static final TransitionTable<ClaimPhase, Trigger> TABLE =
      TransitionTable.of("claim", UNCLAIMED, Trigger.class)
          .row(UNCLAIMED, Trigger.ACQUIRE, ACQUIRING)
          .row(ACQUIRING, Trigger.GRANTED, LEASED)
          .row(ACQUIRING, Trigger.GRANTED_LATE, CONFIRMING)
          .row(ACQUIRING, Trigger.SAW_EXPIRED, SUCCEEDING)
          .row(ACQUIRING, Trigger.SAW_OTHER, REFUSED)
          .row(ACQUIRING, Trigger.SAW_DONE, REFUSED)
          .row(SUCCEEDING, Trigger.GRANTED, LEASED)
          .row(SUCCEEDING, Trigger.GRANTED_LATE, CONFIRMING)
          .row(SUCCEEDING, Trigger.GRANTED_LOSING, LOSING)
          .row(SUCCEEDING, Trigger.SAW_OTHER, REFUSED)
          .row(SUCCEEDING, Trigger.SAW_DONE, REFUSED)
          .row(CONFIRMING, Trigger.CONFIRMED, LEASED)
          .row(CONFIRMING, Trigger.FENCED, LOST)
          .row(LEASED, Trigger.END, ENDING)
          .row(LEASED, Trigger.RELEASE, RELEASING)
          .row(LEASED, Trigger.FENCED, LOST)
          .row(LEASED, Trigger.LEASE_OVER, LOST)
          .row(LOSING, Trigger.END, ENDING)
          .row(LOSING, Trigger.FENCED, LOST)
          .row(LOSING, Trigger.LEASE_OVER, LOST)
          .row(ENDING, Trigger.ENDED, DONE)
          .row(ENDING, Trigger.FENCED, LOST)
          .row(RELEASING, Trigger.RELEASED, RELEASED)
          .row(RELEASING, Trigger.FENCED, LOST)
          .build();
}
