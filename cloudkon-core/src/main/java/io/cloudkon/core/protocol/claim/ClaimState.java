package io.cloudkon.core.protocol.claim;

/** The states of a claim item. */
public enum ClaimState {
  /** Its owner runs the bundle until leaseEnd. */
  LEASED,
  /** A drained worker gave it back; whoever receives the message may have it. */
  RELEASED,
  /** At-most-once: an owner died; its successor settles what is known, and runs nothing. */
  LOSING,
  /** Everything is recorded or handed on; for good. */
  DONE
}
