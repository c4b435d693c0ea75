package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Positions;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An owner's write, which may combine renewal, starts, records, splits, release and done. Its
 * values replace those of the item. This loses nothing, because only the owner writes, one write at
 * a time, each with a higher seq.
 *
 * @param id the bundle's id
 * @param attempt the owner's attempt
 * @param nonce the owner's nonce
 * @param seq a number above that of every earlier write of this attempt
 * @param expected the state in which the item must be: LEASED or LOSING
 * @param state the state after it
 * @param leaseEnd the end of the lease; service clock, epoch milliseconds
 * @param releases the number of releases after it
 * @param started the started positions after it
 * @param done the recorded positions after it
 * @param children the children after it
 * @param ttl when the item may be removed; epoch seconds
 */
public record ClaimWrite(
    String id,
    int attempt,
    String nonce,
    long seq,
    ClaimState expected,
    ClaimState state,
    long leaseEnd,
    int releases,
    Positions started,
    Positions done,
    SortedMap<Integer, Child> children,
    long ttl) {
  public ClaimWrite {
    if ((expected != ClaimState.LEASED && expected != ClaimState.LOSING) || seq < 1) {
      throw new IllegalArgumentException(
          "an owner of bundle %s writes to LEASED or LOSING with a seq above 0, not to %s with %d"
              .formatted(id, expected, seq));
    }
    children = Collections.unmodifiableSortedMap(new TreeMap<>(children));
  }
}
