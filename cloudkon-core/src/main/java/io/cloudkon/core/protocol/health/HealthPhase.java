package io.cloudkon.core.protocol.health;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a worker's health. */
public enum HealthPhase {
  /** It starts tasks. */
  WELL,
  /** A task could not be started; it is tried whether anything can. */
  SUSPECTED,
  /** Nothing can be started here: it receives nothing, and tries again with back-off. */
  SICK,
  /** It was sick for too long: what may cause that is ended, and it is tried once more. */
  CLEARING,
  /** It ends. */
  ENDING;

  /** What moves a worker's health. */
  public enum Trigger {
    /** A task could not be started. */
    SUSPECT,
    /** What failed works again. */
    PASSED,
    /** It fails still. */
    FAILED,
    /** It was sick for as long as it may be. */
    TIMED_OUT
  }

  /** Every legal step. */
  public static final TransitionTable<HealthPhase, Trigger> TABLE =
      TransitionTable.of("health", WELL, Trigger.class)
          .row(WELL, Trigger.SUSPECT, SUSPECTED)
          .row(SUSPECTED, Trigger.PASSED, WELL)
          .row(SUSPECTED, Trigger.FAILED, SICK)
          .row(SICK, Trigger.PASSED, WELL)
          .row(SICK, Trigger.FAILED, SICK)
          .row(SICK, Trigger.TIMED_OUT, CLEARING)
          .row(CLEARING, Trigger.PASSED, WELL)
          .row(CLEARING, Trigger.FAILED, ENDING)
          .build();
}
