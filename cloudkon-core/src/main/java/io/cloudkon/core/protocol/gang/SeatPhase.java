package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a sub-worker in one gang of which it has ranks. */
public enum SeatPhase {
  /** It has slots in hand for ranks that were offered, and asks the manager for them. */
  REGISTERING,
  /** The ranks are its own; nothing runs. */
  SEATED,
  /** They run. */
  RUNNING,
  /** They are being ended. */
  STOPPING,
  /** The same, and it leaves the gang as soon as none runs. */
  LEAVING,
  /** The gang is none of its business any more. */
  GONE;

  /** What moves it. */
  public enum Trigger {
    WELCOME,
    REFUSED,
    START,
    ENDED,
    STOP,
    LEAVE
  }

  /** Every legal step. */
  public static final TransitionTable<SeatPhase, Trigger> TABLE =
      TransitionTable.of("sub-worker", REGISTERING, Trigger.class)
          .row(REGISTERING, Trigger.WELCOME, SEATED)
          .row(REGISTERING, Trigger.REFUSED, GONE)
          .row(REGISTERING, Trigger.LEAVE, GONE)
          .row(SEATED, Trigger.START, RUNNING)
          .row(SEATED, Trigger.LEAVE, GONE)
          .row(RUNNING, Trigger.ENDED, SEATED)
          .row(RUNNING, Trigger.STOP, STOPPING)
          .row(RUNNING, Trigger.LEAVE, LEAVING)
          .row(STOPPING, Trigger.ENDED, SEATED)
          .row(STOPPING, Trigger.LEAVE, LEAVING)
          .row(LEAVING, Trigger.ENDED, GONE)
          .build();
}
