package io.cloudkon.core.faults;

/** Bugs that are planted to show that the checks can fail. */
enum Bug {
  /** The store takes an owner's write without a look at its seq, or at its attempt and nonce. */
  STALE_WRITE_ACCEPTED,
  /** The store gives away a claim whose lease still runs. */
  LIVE_LEASE_TAKEN,
  /** The store gives away a claim that is DONE. */
  DONE_RETAKEN,
  /** The message is deleted as soon as the claim is there. */
  DELETED_EARLY,
  /** Tasks are recorded before their results were sent. */
  RECORDED_EARLY,
  /** The same nonce for each receive of a bundle. */
  NONCE_REUSED,
  /** At-most-once: the store says that it recorded starts, and does not. */
  STARTS_NOT_RECORDED,
  /** The client forgets that a result has come, and takes the first answer for the final one. */
  LOST_FINAL_AT_ONCE
}
