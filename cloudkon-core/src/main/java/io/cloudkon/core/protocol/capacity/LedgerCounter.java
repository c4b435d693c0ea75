package io.cloudkon.core.protocol.capacity;

/**
 * The ledger's totals.
 *
 * @param free the slots of all workers in it, minus those of all gangs; negative after workers of
 *     gangs have died, and then nothing is admitted
 * @param reserved the slots reserved for the reservation's job; 0 if there is none
 */
public record LedgerCounter(int free, int reserved) {
  /** The totals of an empty ledger. */
  public static final LedgerCounter NONE = new LedgerCounter(0, 0);

  /** The totals after a change by these amounts. */
  public LedgerCounter plus(int freed, int reservedMore) {
    return new LedgerCounter(free + freed, reserved + reservedMore);
  }
}
