package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a sub-worker in one gang of which it has ranks. */
public enum SeatPhase {
  /** It has free slots for offered ranks and requests the ranks from the manager. */
  REGISTERING,
  /** It has ranks, and none runs. */
  SEATED,
  /** The ranks run. */
  RUNNING,
  /** The ranks are being stopped. */
  STOPPING,
  /** The same, and it leaves the gang as soon as none runs. */
  LEAVING,
  /** It has left the gang. */
  GONE;

  /** The triggers of transitions. */
  public enum Trigger {
    WELCOME,
    REFUSED,
    START,
    ENDED,
    STOP,
    LEAVE
  }

  /** The permitted transitions. */
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
