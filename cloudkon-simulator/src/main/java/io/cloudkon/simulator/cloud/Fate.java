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
  EFFECT_LATE,
  /**
   * Carried out without an answer and, in the SDK's own second attempt, carried out again; the
   * caller gets the answer to the second.
   */
  RETRIED
}
