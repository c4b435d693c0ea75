package io.cloudkon.core.protocol.health;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a worker's health. */
public enum HealthPhase {
  /** It starts tasks. */
  WELL,
  /** A task could not be started; a probe tests whether anything can be started. */
  SUSPECTED,
  /** Nothing can be started: the worker receives nothing and probes again with back-off. */
  SICK,
  /** It was sick for too long: the possible causes are stopped, and it probes once more. */
  CLEARING,
  /** It ends. */
  ENDING;

  /** The triggers of transitions. */
  public enum Trigger {
    /** A task could not be started. */
    SUSPECT,
    /** The probe succeeded. */
    PASSED,
    /** The probe failed. */
    FAILED,
    /** It was sick for the maximum time. */
    TIMED_OUT
  }

  /** The permitted transitions. */
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
