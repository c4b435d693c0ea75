package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.protocol.claim.LeaseSettings;

/**
 * One worker in the ledger.
 *
 * @param worker its id
 * @param slots what it brings
 * @param lease of its shares: how long, how often renewed, and the clock margin
 * @param lookMillis how often it looks whether there is a reservation; default 2,000
 */
public record CapacitySettings(String worker, int slots, LeaseSettings lease, long lookMillis) {
  /** 2 s. */
  public static final long LOOK_MILLIS = 2_000;
}
