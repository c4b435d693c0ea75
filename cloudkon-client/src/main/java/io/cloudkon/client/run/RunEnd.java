package io.cloudkon.client.run;

/** The ways in which a client ends its work on a run, other than by an error. */
public enum RunEnd {
  /** Every task has its final result, and it is written. */
  COMPLETE,
  /** A user cancelled it. */
  CANCELLED,
  /** Everything was sent, and the client leaves without waiting for results. */
  DETACHED,
  /** The user stopped the client; what was sent continues. */
  INTERRUPTED
}
