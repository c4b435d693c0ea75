package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.table.TransitionTable;

/** How a gang stands, at its manager. */
public enum GangPhase {
  /** It has its slots in the ledger, and looks for sub-workers that have them in hand. */
  FORMING,
  /** Every rank has its slot; none runs anything. */
  STANDING,
  /** Its ranks run a job. */
  SERVING,
  /** Its ranks are being ended, for one of them failed or the job is taken from it. */
  STOPPING,
  /** A sub-worker is lost, and what still runs is being ended: it will not stand again. */
  BREAKING,
  /** Dissolved. */
  GONE;

  /** What moves a gang. */
  public enum Trigger {
    FULL,
    SERVE,
    SERVED,
    STOP,
    STOPPED,
    BREAK,
    DISSOLVE
  }

  /** Every legal step. */
  public static final TransitionTable<GangPhase, Trigger> TABLE =
      TransitionTable.of("gang", FORMING, Trigger.class)
          .row(FORMING, Trigger.FULL, STANDING)
          .row(FORMING, Trigger.DISSOLVE, GONE)
          .row(STANDING, Trigger.SERVE, SERVING)
          .row(STANDING, Trigger.DISSOLVE, GONE)
          .row(SERVING, Trigger.SERVED, STANDING)
          .row(SERVING, Trigger.STOP, STOPPING)
          .row(SERVING, Trigger.BREAK, BREAKING)
          .row(STOPPING, Trigger.STOPPED, STANDING)
          .row(STOPPING, Trigger.BREAK, BREAKING)
          .row(BREAKING, Trigger.DISSOLVE, GONE)
          .build();
}
