package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a bundle at the worker that received it. */
public enum BundlePhase {
  /** Received in advance: nothing was requested yet. */
  HELD,
  /** Its claim was asked for. */
  CLAIMING,
  /** Its tasks run. */
  RUNNING,
  /** At-most-once: what a dead owner left is settled. */
  LOSING,
  /**
   * It was tried too often: what it dies of, or what no worker could start, is FAILED, the rest is
   * handed on.
   */
  GIVING_UP,
  /** The worker leaves: no more tasks start, and running ones may finish. */
  DRAINING,
  /** Every task is settled; the claim is being ended. */
  ENDING,
  /** The claim is being given back, or its final content is being written. */
  RELEASING,
  /** The message is being deleted. */
  DELETING,
  /** Nothing is left to do here. */
  CLOSED;

  /** Whether its tasks run or are being settled, so that results, letters and children are sent. */
  boolean works() {
    return switch (this) {
      case RUNNING, LOSING, GIVING_UP, DRAINING -> true;
      case HELD, CLAIMING, ENDING, RELEASING, DELETING, CLOSED -> false;
    };
  }

  /** Whether its claim was granted, or it needs none. */
  boolean granted() {
    return switch (this) {
      case RUNNING, LOSING, GIVING_UP, DRAINING, ENDING, RELEASING -> true;
      case HELD, CLAIMING, DELETING, CLOSED -> false;
    };
  }

  /** The triggers of a bundle's transitions. */
  public enum Trigger {
    BEGIN,
    PUT_BACK,
    GRANTED,
    GRANTED_LOSING,
    TOO_OFTEN,
    SAW_DONE,
    SAW_OTHER,
    DRAIN,
    SETTLED,
    RELEASE,
    ENDED,
    RELEASED,
    RUN_CLOSED,
    LOST,
    DELETED
  }

  /** The permitted transitions. */
  public static final TransitionTable<BundlePhase, Trigger> TABLE =
      TransitionTable.of("bundle", HELD, Trigger.class)
          .row(HELD, Trigger.BEGIN, CLAIMING)
          .row(HELD, Trigger.PUT_BACK, CLOSED)
          .row(HELD, Trigger.RUN_CLOSED, DELETING)
          .row(CLAIMING, Trigger.GRANTED, RUNNING)
          .row(CLAIMING, Trigger.GRANTED_LOSING, LOSING)
          .row(CLAIMING, Trigger.TOO_OFTEN, GIVING_UP)
          .row(CLAIMING, Trigger.SAW_DONE, DELETING)
          .row(CLAIMING, Trigger.SAW_OTHER, CLOSED)
          .row(CLAIMING, Trigger.PUT_BACK, CLOSED)
          .row(CLAIMING, Trigger.LOST, CLOSED)
          .row(RUNNING, Trigger.SETTLED, ENDING)
          .row(RUNNING, Trigger.DRAIN, DRAINING)
          .row(RUNNING, Trigger.RUN_CLOSED, ENDING)
          .row(RUNNING, Trigger.LOST, CLOSED)
          .row(LOSING, Trigger.SETTLED, ENDING)
          .row(LOSING, Trigger.RUN_CLOSED, ENDING)
          .row(LOSING, Trigger.RELEASE, RELEASING)
          .row(LOSING, Trigger.LOST, CLOSED)
          .row(GIVING_UP, Trigger.SETTLED, ENDING)
          .row(GIVING_UP, Trigger.RUN_CLOSED, ENDING)
          .row(GIVING_UP, Trigger.RELEASE, RELEASING)
          .row(GIVING_UP, Trigger.LOST, CLOSED)
          .row(DRAINING, Trigger.SETTLED, ENDING)
          .row(DRAINING, Trigger.RELEASE, RELEASING)
          .row(DRAINING, Trigger.TOO_OFTEN, GIVING_UP)
          .row(DRAINING, Trigger.RUN_CLOSED, ENDING)
          .row(DRAINING, Trigger.LOST, CLOSED)
          .row(ENDING, Trigger.ENDED, DELETING)
          .row(ENDING, Trigger.LOST, CLOSED)
          .row(RELEASING, Trigger.RELEASED, CLOSED)
          .row(RELEASING, Trigger.LOST, CLOSED)
          .row(DELETING, Trigger.DELETED, CLOSED)
          .build();
}
