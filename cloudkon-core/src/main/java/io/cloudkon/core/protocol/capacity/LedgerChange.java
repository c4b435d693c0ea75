package io.cloudkon.core.protocol.capacity;

import java.util.List;

/**
 * One change of the ledger: all of it happens, or nothing. What each requires and does is said in
 * {@link LedgerRules}.
 */
public sealed interface LedgerChange {

  /** Names this change, for a store that is to carry out the same change once; 1 to 36 chars. */
  String token();

  /** A worker brings its slots; it must not be in the ledger. */
  record Join(String token, Share worker) implements LedgerChange {}

  /**
   * Gangs take slots: none of them may be in the ledger, {@code reserved} must be as it was read,
   * and {@code free} large enough for them and what is reserved.
   *
   * @param gangs 1 to {@link #MOST_GANGS}
   * @param reservedSeen what {@code reserved} was when it was read
   */
  record Admit(String token, List<Share> gangs, int reservedSeen) implements LedgerChange {
    public Admit {
      gangs = List.copyOf(gangs);
      if (gangs.isEmpty() || gangs.size() > MOST_GANGS) {
        throw new IllegalArgumentException(
            "1 to %d gangs are admitted at once, not %d".formatted(MOST_GANGS, gangs.size()));
      }
    }

    /** Slots of all of them. */
    public int slots() {
      return gangs.stream().mapToInt(Share::slots).sum();
    }
  }

  /**
   * The gang of the job that has the reservation takes slots: {@code free} must be large enough for
   * it. The promise is kept by this, and is none any more; the reservation stays, so that slots
   * stay empty until the gang is there.
   */
  record AdmitReserved(String token, Share gang) implements LedgerChange {}

  /**
   * A share goes: the worker leaves, the gang is dissolved, or either is swept.
   *
   * @param share as it was seen
   * @param swept whether its lease must still end when it was seen to; else its owner gives it up,
   *     whatever its lease
   */
  record Remove(String token, Share share, boolean swept) implements LedgerChange {}

  /** A job gets the reservation: there must be none. */
  record Reserve(String token, Reservation reservation) implements LedgerChange {}

  /**
   * The reservation ends: it must be that job's, and admitted or not as it was seen.
   *
   * @param reservation as it was seen
   * @param swept whether its lease must still end when it was seen to
   */
  record Unreserve(String token, Reservation reservation, boolean swept) implements LedgerChange {}

  /** How many gangs share one admission at most: what one DynamoDB transaction takes is 100. */
  int MOST_GANGS = 20;
}
