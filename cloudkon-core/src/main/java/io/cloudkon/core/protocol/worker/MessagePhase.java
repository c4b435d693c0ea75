package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of one message whose tasks have a claim each. */
public enum MessagePhase {
  /** Received, and ahead of need: no claim was asked for yet. */
  HELD,
  /** Tasks are claimed, run, and settled, each by itself. */
  BEGUN,
  /** Every task is done; the message is being deleted. */
  DELETING,
  /** Nothing is left to do here. */
  CLOSED;

  /** What moves a message. */
  public enum Trigger {
    BEGIN,
    ALL_DONE,
    PUT_BACK,
    LOST,
    DELETED
  }

  /** Every legal step. */
  public static final TransitionTable<MessagePhase, Trigger> TABLE =
      TransitionTable.of("message", HELD, Trigger.class)
          .row(HELD, Trigger.BEGIN, BEGUN)
          .row(HELD, Trigger.ALL_DONE, DELETING)
          .row(HELD, Trigger.PUT_BACK, CLOSED)
          .row(BEGUN, Trigger.ALL_DONE, DELETING)
          .row(BEGUN, Trigger.PUT_BACK, CLOSED)
          .row(BEGUN, Trigger.LOST, CLOSED)
          .row(DELETING, Trigger.DELETED, CLOSED)
          .build();
}
