package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a message whose tasks have one claim each. */
public enum MessagePhase {
  /** Received in advance: no claim was requested yet. */
  HELD,
  /** Tasks are claimed, run, and settled individually. */
  BEGUN,
  /** Every task is done; the message is being deleted. */
  DELETING,
  /** Nothing is left to do here. */
  CLOSED;

  /** The triggers of transitions. */
  public enum Trigger {
    BEGIN,
    ALL_DONE,
    PUT_BACK,
    LOST,
    DELETED
  }

  /** The permitted transitions. */
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
