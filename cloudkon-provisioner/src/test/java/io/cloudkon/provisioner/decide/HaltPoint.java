package io.cloudkon.provisioner.decide;

/** A moment between two effects of a decision. */
enum HaltPoint {
  /** It has decided; nobody knows. */
  BEFORE_INTENT,
  /** The decision is written; the launcher was not called. */
  AFTER_INTENT,
  /** The launcher has answered; nobody knows what. */
  AFTER_CALL,
  /** All of it is written. */
  AFTER_RECORD;

  /** Told of each moment that is reached. */
  @FunctionalInterface
  interface Reached {
    /** Moments are no more than moments. */
    Reached IGNORED = point -> {};

    void reached(HaltPoint point);
  }
}
