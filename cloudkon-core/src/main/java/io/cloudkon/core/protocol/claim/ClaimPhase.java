package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of one worker's hold on one claim: the owner's side of the claim's life cycle. */
public enum ClaimPhase {
  /** Nothing was asked for yet. */
  UNCLAIMED,
  /** The acquisition is under way. */
  ACQUIRING,
  /**
   * At-most-once: an expired owner was seen, and succeeding it is under way; if it is released
   * meanwhile, it is taken as it is.
   */
  SUCCEEDING,
  /**
   * The claim is mine by an answer that came too late to rely on: a renewal must prove it before
   * anything starts.
   */
  CONFIRMING,
  /** Mine, to run. */
  LEASED,
  /** Mine, to settle only. */
  LOSING,
  /** DONE is being written. */
  ENDING,
  /** The release is being written. */
  RELEASING,
  /** DONE was written by me. */
  DONE,
  /** Released by me. */
  RELEASED,
  /** Never mine: somebody else's, or DONE already. */
  REFUSED,
  /** Mine no more: the lease is over, or somebody else has it. */
  LOST;

  /** What moves a claim. */
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

  /** Every legal step. */
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
