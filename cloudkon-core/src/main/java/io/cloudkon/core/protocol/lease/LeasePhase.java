package io.cloudkon.core.protocol.lease;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a process's hold on a lease. */
public enum LeasePhase {
  /** The lease is not held: nothing is known of it yet, or another holder's lease seems valid. */
  WATCHING,
  /** The entry is being read. */
  LOOKING,
  /** The lease was seen to be over or without a holder. */
  FREE,
  /** It is being taken, on the condition that it has not changed. */
  TAKING,
  /** It is held, and nothing is under way. */
  HELD,
  /** It is held, and a renewal or the releasing write is under way. */
  WRITING,
  /** A write was refused: the stored entry differs from the expected one. */
  REFUSED,
  /** The stored entry is being read. */
  CONFIRMING,
  /** Another process has it, or it does not exist, or it is permanently unreachable. */
  LOST,
  /** It was released. */
  LET_GO;

  /** The triggers of transitions. */
  public enum Trigger {
    LOOK,
    LIVE,
    FREE,
    TAKE,
    WRITE,
    WRITTEN,
    REFUSED,
    FAILED,
    MINE,
    LOST,
    AGAIN,
    LET_GO
  }

  /** The permitted transitions. */
  public static final TransitionTable<LeasePhase, Trigger> TABLE =
      TransitionTable.of("lease", WATCHING, Trigger.class)
          .row(WATCHING, Trigger.LOOK, LOOKING)
          .row(WATCHING, Trigger.LET_GO, LET_GO)
          .row(LOOKING, Trigger.LIVE, WATCHING)
          .row(LOOKING, Trigger.FAILED, WATCHING)
          .row(LOOKING, Trigger.FREE, FREE)
          .row(LOOKING, Trigger.MINE, HELD)
          .row(LOOKING, Trigger.LOST, LOST)
          .row(FREE, Trigger.TAKE, TAKING)
          .row(FREE, Trigger.LET_GO, LET_GO)
          .row(TAKING, Trigger.WRITTEN, HELD)
          .row(TAKING, Trigger.REFUSED, WATCHING)
          .row(TAKING, Trigger.FAILED, FREE)
          .row(TAKING, Trigger.LOST, LOST)
          .row(HELD, Trigger.WRITE, WRITING)
          .row(WRITING, Trigger.WRITTEN, HELD)
          .row(WRITING, Trigger.FAILED, HELD)
          .row(WRITING, Trigger.LET_GO, LET_GO)
          .row(WRITING, Trigger.REFUSED, REFUSED)
          .row(WRITING, Trigger.LOST, LOST)
          .row(REFUSED, Trigger.LOOK, CONFIRMING)
          .row(CONFIRMING, Trigger.MINE, HELD)
          .row(CONFIRMING, Trigger.FAILED, HELD)
          .row(CONFIRMING, Trigger.LET_GO, LET_GO)
          .row(CONFIRMING, Trigger.LOST, LOST)
          .row(LOST, Trigger.AGAIN, WATCHING)
          .row(LOST, Trigger.LET_GO, LET_GO)
          .build();
}
