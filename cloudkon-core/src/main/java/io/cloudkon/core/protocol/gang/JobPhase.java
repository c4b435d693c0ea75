package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of one HPC job at its manager. */
public enum JobPhase {
  /** Received; nothing was requested yet. */
  HELD,
  /** Slots were requested. */
  ADMITTING,
  /** There was no room, or its gang did not fill: it tries again. */
  WAITING,
  /** It has a gang, and its claim is requested or acquired. */
  PLACED,
  /** It can never have a gang: its claim is requested to report this. */
  REJECTING,
  /** Its ranks run. */
  RUNNING,
  /** A rank failed or a sub-worker is lost: its other ranks are being stopped. */
  STOPPING,
  /** Its result is known, and on its way. */
  SETTLING,
  /** Its claim is being given back. */
  RETURNING,
  /**
   * Its claim and its message are being given back, because its launcher cannot start on this
   * worker.
   */
  PASSING_ON,
  /** Nothing is left to do here. */
  CLOSED;

  /** The triggers of a job's transitions. */
  public enum Trigger {
    ASK,
    REFUSED,
    PLACE,
    REJECT,
    START,
    STOP,
    ENDED,
    DIED,
    PASS_ON,
    AGAIN,
    UNPLACE,
    REARMED,
    CLOSE
  }

  /** The permitted transitions. */
  public static final TransitionTable<JobPhase, Trigger> TABLE =
      TransitionTable.of("job", HELD, Trigger.class)
          .row(HELD, Trigger.ASK, ADMITTING)
          .row(HELD, Trigger.PLACE, PLACED)
          .row(HELD, Trigger.REFUSED, WAITING)
          .row(HELD, Trigger.CLOSE, CLOSED)
          .row(ADMITTING, Trigger.REFUSED, WAITING)
          .row(ADMITTING, Trigger.PLACE, PLACED)
          .row(ADMITTING, Trigger.CLOSE, CLOSED)
          .row(WAITING, Trigger.ASK, ADMITTING)
          .row(WAITING, Trigger.PLACE, PLACED)
          .row(WAITING, Trigger.REJECT, REJECTING)
          .row(WAITING, Trigger.UNPLACE, RETURNING)
          .row(WAITING, Trigger.CLOSE, CLOSED)
          .row(PLACED, Trigger.START, RUNNING)
          .row(PLACED, Trigger.REFUSED, WAITING)
          .row(PLACED, Trigger.UNPLACE, RETURNING)
          .row(PLACED, Trigger.CLOSE, CLOSED)
          .row(REJECTING, Trigger.ENDED, SETTLING)
          .row(REJECTING, Trigger.CLOSE, CLOSED)
          .row(RUNNING, Trigger.ENDED, SETTLING)
          .row(RUNNING, Trigger.STOP, STOPPING)
          .row(RUNNING, Trigger.DIED, RETURNING)
          .row(RUNNING, Trigger.PASS_ON, PASSING_ON)
          .row(RUNNING, Trigger.CLOSE, CLOSED)
          .row(STOPPING, Trigger.ENDED, SETTLING)
          .row(STOPPING, Trigger.DIED, RETURNING)
          .row(STOPPING, Trigger.PASS_ON, PASSING_ON)
          .row(STOPPING, Trigger.CLOSE, CLOSED)
          .row(SETTLING, Trigger.AGAIN, WAITING)
          .row(SETTLING, Trigger.CLOSE, CLOSED)
          .row(RETURNING, Trigger.REARMED, WAITING)
          .row(RETURNING, Trigger.CLOSE, CLOSED)
          .row(PASSING_ON, Trigger.CLOSE, CLOSED)
          .build();
}
