package io.cloudkon.core.protocol.intake;

import io.cloudkon.core.protocol.table.TransitionTable;

/** Tells whether a worker is receiving. */
public enum IntakePhase {
  /** It holds enough, or is about to ask. */
  WATCHING,
  /** A receive is under way. */
  RECEIVING,
  /** The last receive failed; the next one waits. */
  BACKING_OFF,
  /** The worker leaves, and a receive is still under way: what it brings is put back. */
  STOPPING,
  /** Nothing is received any more. */
  STOPPED;

  /** What moves the intake. */
  public enum Trigger {
    RECEIVE,
    ARRIVED,
    FAILED,
    RETRY,
    DRAIN
  }

  /** Every legal step. */
  public static final TransitionTable<IntakePhase, Trigger> TABLE =
      TransitionTable.of("intake", WATCHING, Trigger.class)
          .row(WATCHING, Trigger.RECEIVE, RECEIVING)
          .row(WATCHING, Trigger.DRAIN, STOPPED)
          .row(RECEIVING, Trigger.ARRIVED, WATCHING)
          .row(RECEIVING, Trigger.FAILED, BACKING_OFF)
          .row(RECEIVING, Trigger.DRAIN, STOPPING)
          .row(BACKING_OFF, Trigger.RETRY, WATCHING)
          .row(BACKING_OFF, Trigger.DRAIN, STOPPED)
          .row(STOPPING, Trigger.ARRIVED, STOPPED)
          .row(STOPPING, Trigger.FAILED, STOPPED)
          .build();
}
