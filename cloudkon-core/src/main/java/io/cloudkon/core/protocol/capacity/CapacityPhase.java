package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a worker's membership in the ledger. */
public enum CapacityPhase {
  /** The worker is not in the ledger, because it has not joined yet or was swept. */
  OUT,
  /** The worker is joining. */
  JOINING,
  /** The worker is joining, and is to leave as soon as it has joined. */
  WITHDRAWING,
  /** Its slots count. */
  IN,
  /** The worker is leaving. */
  LEAVING,
  /** The worker has left permanently. */
  LEFT;

  /** The triggers of transitions. */
  public enum Trigger {
    JOIN,
    JOINED,
    SWEPT,
    LEAVE,
    LEFT
  }

  /** The permitted transitions. */
  public static final TransitionTable<CapacityPhase, Trigger> TABLE =
      TransitionTable.of("capacity", OUT, Trigger.class)
          .row(OUT, Trigger.JOIN, JOINING)
          .row(OUT, Trigger.LEAVE, LEFT)
          .row(JOINING, Trigger.JOINED, IN)
          .row(JOINING, Trigger.LEAVE, WITHDRAWING)
          .row(WITHDRAWING, Trigger.JOINED, LEAVING)
          .row(WITHDRAWING, Trigger.LEFT, LEFT)
          .row(IN, Trigger.SWEPT, OUT)
          .row(IN, Trigger.LEAVE, LEAVING)
          .row(LEAVING, Trigger.LEFT, LEFT)
          .build();
}
