package io.cloudkon.core.protocol.intake;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a worker's intake. */
public enum IntakePhase {
  /** It holds enough, or is about to receive. */
  WATCHING,
  /** A receive is under way. */
  RECEIVING,
  /** The last receive failed; the next one waits. */
  BACKING_OFF,
  /** The worker leaves while a receive is still under way, whose messages are put back. */
  STOPPING,
  /** Nothing is received any more. */
  STOPPED;

  /** The triggers of transitions. */
  public enum Trigger {
    RECEIVE,
    ARRIVED,
    FAILED,
    RETRY,
    DRAIN
  }

  /** The permitted transitions. */
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
