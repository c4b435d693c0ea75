package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Positions;

/**
 * An attempt to become the owner; one conditional write.
 *
 * @param id the bundle's id
 * @param mode which claims it may take
 * @param owner the worker
 * @param nonce the nonce of this receive
 * @param leaseEnd the new lease's end; service clock, epoch milliseconds
 * @param expiredBefore a lease that ended before this time has expired: now minus the clock margin
 * @param expectedAttempt for {@link Mode#LOSING}, the attempt of the claim that was seen expired;
 *     else 0
 * @param started the positions to record as started if there is no item yet; may be empty
 * @param ttl when the item may be removed; epoch seconds
 */
public record Acquisition(
    String id,
    Mode mode,
    String owner,
    String nonce,
    long leaseEnd,
    long expiredBefore,
    int expectedAttempt,
    Positions started,
    long ttl) {

  public Acquisition {
    if (mode == Mode.LOSING && !started.isEmpty()) {
      throw new IllegalArgumentException(
          "a LOSING owner of bundle %s starts nothing".formatted(id));
    }
  }

  /** The states of a claim that an acquisition may take. */
  public enum Mode {
    /** Exactly-once: absent, released, or leased and expired. Leads to LEASED. */
    TAKE_OVER,
    /** At-most-once: absent or released. Leads to LEASED. */
    FRESH,
    /** At-most-once: leased or losing, expired, and still at the attempt seen. Leads to LOSING. */
    LOSING
  }
}
