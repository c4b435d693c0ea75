package io.cloudkon.core.protocol.lease;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a process's hold on a lease. */
public enum LeasePhase {
  /** Not its own: nothing is known of it yet, or another's looks live. */
  WATCHING,
  /** The entry is being read. */
  LOOKING,
  /** Over, or nobody's, as it was seen. */
  FREE,
  /** It is being taken, as it was seen. */
  TAKING,
  /** Its own, and nothing is under way. */
  HELD,
  /** Its own; a renewal is under way, or the write that lets it go. */
  WRITING,
  /** A write was refused: the store shows something else than was thought. */
  REFUSED,
  /** What it shows is being read. */
  CONFIRMING,
  /** Another's, or gone, or out of reach for good. */
  LOST,
  /** Given back. */
  LET_GO;

  /** What moves it. */
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

  /** Every legal step. */
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
