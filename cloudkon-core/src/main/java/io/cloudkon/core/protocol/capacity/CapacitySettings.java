package io.cloudkon.core.protocol.capacity;

import io.cloudkon.core.protocol.claim.LeaseSettings;

/**
 * The settings of one worker in the ledger.
 *
 * @param worker its id
 * @param slots the number of slots that it contributes
 * @param lease the lease of its shares
 * @param lookMillis how often it reads the reservation, in milliseconds; default 2,000
 */
public record CapacitySettings(String worker, int slots, LeaseSettings lease, long lookMillis) {
  /** 2 s. */
  public static final long LOOK_MILLIS = 2_000;
}
