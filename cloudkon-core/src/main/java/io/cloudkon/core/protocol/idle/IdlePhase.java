package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of an idle worker until it shuts down. */
public enum IdlePhase {
  /** It works, or has not been idle for long enough. */
  WATCHING,
  /** It queries whether jobs wait for its slots. */
  LOOKING,
  /** It queries how many idle workers are to stay. */
  READING,
  /** It tries to get a seat. */
  SITTING,
  /** It has a seat and stays, whether idle or not. */
  SEATED,
  /** It is not needed: it polls its queues once more. */
  LAST_LOOK,
  /** It drains and ends. */
  LEAVING;

  /** The triggers of transitions. */
  public enum Trigger {
    /** It has been idle for long enough, at a time at which it may end. */
    DUE,
    /** Work arrived, or a job waits. */
    NEEDED,
    /** No job waits. */
    NOT_NEEDED,
    /** Some idle workers are to stay. */
    MINIMUM,
    /** None is to stay. */
    NO_MINIMUM,
    /** It got a seat. */
    SEATED,
    /** All seats are held by others. */
    ALL_HELD,
    /** The seat belongs, or may belong, to another worker, or is not needed any more. */
    UNSEATED,
    /** The queues were empty. */
    EMPTY,
    /** A query could not be answered for too long. */
    UNANSWERED,
    /** It has reached its maximum lifetime, or is told to leave. */
    LEAVE
  }

  /** The permitted transitions. */
  public static final TransitionTable<IdlePhase, Trigger> TABLE =
      TransitionTable.of("idle", WATCHING, Trigger.class)
          .row(WATCHING, Trigger.DUE, LOOKING)
          .row(WATCHING, Trigger.LEAVE, LEAVING)
          .row(LOOKING, Trigger.NOT_NEEDED, READING)
          .row(LOOKING, Trigger.NEEDED, WATCHING)
          .row(LOOKING, Trigger.UNANSWERED, LAST_LOOK)
          .row(LOOKING, Trigger.LEAVE, LEAVING)
          .row(READING, Trigger.MINIMUM, SITTING)
          .row(READING, Trigger.NO_MINIMUM, LAST_LOOK)
          .row(READING, Trigger.NEEDED, WATCHING)
          .row(READING, Trigger.UNANSWERED, LAST_LOOK)
          .row(READING, Trigger.LEAVE, LEAVING)
          .row(SITTING, Trigger.SEATED, SEATED)
          .row(SITTING, Trigger.ALL_HELD, LAST_LOOK)
          .row(SITTING, Trigger.NEEDED, WATCHING)
          .row(SITTING, Trigger.UNANSWERED, LAST_LOOK)
          .row(SITTING, Trigger.LEAVE, LEAVING)
          .row(SEATED, Trigger.UNSEATED, WATCHING)
          .row(SEATED, Trigger.LEAVE, LEAVING)
          .row(LAST_LOOK, Trigger.EMPTY, LEAVING)
          .row(LAST_LOOK, Trigger.NEEDED, WATCHING)
          .row(LAST_LOOK, Trigger.UNANSWERED, LEAVING)
          .row(LAST_LOOK, Trigger.LEAVE, LEAVING)
          .build();
}
