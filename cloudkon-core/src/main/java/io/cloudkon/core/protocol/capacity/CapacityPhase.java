package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a worker's membership in the ledger. */
public enum CapacityPhase {
  /** Not in it: not yet, or swept while it was away. */
  OUT,
  /** It is being entered. */
  JOINING,
  /** The same, and it is to be taken out as soon as it is there. */
  WITHDRAWING,
  /** Its slots count. */
  IN,
  /** It is being taken out. */
  LEAVING,
  /** Out for good. */
  LEFT;

  /** What moves a worker. */
  public enum Trigger {
    JOIN,
    JOINED,
    SWEPT,
    LEAVE,
    LEFT
  }

  /** Every legal step. */
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
