package io.cloudkon.core.protocol.capacity;

import java.util.List;

/**
 * A change of the ledger, which happens as a whole or not at all. {@link LedgerRules} defines what
 * each change requires and does.
 */
public sealed interface LedgerChange {

  /** Identifies this change, so that a store carries it out only once; 1 to 36 characters. */
  String token();

  /** A worker contributes its slots; it must not be in the ledger. */
  record Join(String token, Share worker) implements LedgerChange {}

  /**
   * Gangs take slots: none of them may be in the ledger, {@code reserved} must not have changed
   * since it was read, and {@code free} must be large enough for them and the reserved slots.
   *
   * @param gangs 1 to {@link #MOST_GANGS}
   * @param reservedSeen the value of {@code reserved} when it was read
   */
  record Admit(String token, List<Share> gangs, int reservedSeen) implements LedgerChange {
    public Admit {
      gangs = List.copyOf(gangs);
      if (gangs.isEmpty() || gangs.size() > MOST_GANGS) {
        throw new IllegalArgumentException(
            "1 to %d gangs are admitted at once, not %d".formatted(MOST_GANGS, gangs.size()));
      }
    }

    /** The number of slots of all gangs. */
    public int slots() {
      return gangs.stream().mapToInt(Share::slots).sum();
    }
  }

  /**
   * The gang of the job with the reservation takes slots: {@code free} must be large enough for it.
   * This fulfils the reservation's claim on slots; the reservation itself remains, so that slots
   * stay empty until the gang is complete.
   */
  record AdmitReserved(String token, Share gang) implements LedgerChange {}

  /**
   * A share is removed: the worker leaves, the gang is dissolved, or either is swept.
   *
   * @param share the share as it was read
   * @param swept whether the end of its lease must be unchanged; otherwise its owner gives it up,
   *     whatever its lease
   */
  record Remove(String token, Share share, boolean swept) implements LedgerChange {}

  /** A job gets the reservation: there must be none. */
  record Reserve(String token, Reservation reservation) implements LedgerChange {}

  /**
   * The reservation ends: it must belong to that job and be admitted or not as it was read.
   *
   * @param reservation the reservation as it was read
   * @param swept whether the end of its lease must be unchanged
   */
  record Unreserve(String token, Reservation reservation, boolean swept) implements LedgerChange {}

  /** The maximum number of gangs in one admission; a DynamoDB transaction can have 100 items. */
  int MOST_GANGS = 20;
}
