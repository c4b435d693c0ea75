package io.cloudkon.core.protocol.capacity;

/**
 * The ledger's sums.
 *
 * @param free slots of all workers in it, minus those of all gangs; negative after workers died
 *     under gangs, and then nothing is admitted
 * @param reserved slots promised to the reservation's job; 0 if there is none
 */
public record LedgerCounter(int free, int reserved) {
  /** Of an empty ledger. */
  public static final LedgerCounter NONE = new LedgerCounter(0, 0);

  /** The same, changed by so much. */
  public LedgerCounter plus(int freed, int reservedMore) {
    return new LedgerCounter(free + freed, reserved + reservedMore);
  }
}
