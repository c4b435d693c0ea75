package io.cloudkon.simulator.cloud;

/** The fate of one call. */
enum Fate {
  CARRIED_OUT,
  /** Refused in passing, without effect. */
  THROTTLED,
  /** Carried out, and the caller does not learn it. */
  ANSWER_LOST,
  /** Carried out and answered, and carried out once more later. */
  COPIED,
  /** The caller gives up, and it is carried out after that. */
  EFFECT_LATE
}
