package io.cloudkon.simulator.cloud;

/** The fate of one call. */
enum Fate {
  CARRIED_OUT,
  /** Refused transiently, without effect. */
  THROTTLED,
  /** Carried out, but the caller gets no answer. */
  ANSWER_LOST,
  /** Carried out and answered, and carried out again later. */
  COPIED,
  /** Carried out after the caller gave up. */
  EFFECT_LATE
}
