package io.cloudkon.core.protocol.claim;

/** The states of a claim item. */
public enum ClaimState {
  /** Its owner runs the bundle until leaseEnd. */
  LEASED,
  /** A drained worker gave it back; the next receiver of the message may have it. */
  RELEASED,
  /**
   * In at-most-once, an owner died, and its successor settles the known results and runs nothing.
   */
  LOSING,
  /** Everything is recorded or handed on. This state is final. */
  DONE
}
