package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.time.Moment;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A claim item. Immutable.
 *
 * @param id the bundle's id
 * @param state see {@link ClaimState}
 * @param owner the worker that owns or owned it
 * @param nonce of the receive by which it was acquired last
 * @param attempt raised by each acquisition: the fencing token
 * @param seq of the owner's last write; 0 after an acquisition
 * @param releases how often it was released
 * @param leaseEnd when the lease ends; service clock, epoch milliseconds
 * @param started positions recorded as started
 * @param done positions whose final result was accepted by the response queue
 * @param children what was handed on, by k
 * @param ttl when the item may be removed; epoch seconds
 * @param survived attempts that their owners took back: they lost the lease, and lived
 */
public record Claim(
    String id,
    ClaimState state,
    String owner,
    String nonce,
    int attempt,
    long seq,
    int releases,
    long leaseEnd,
    Positions started,
    Positions done,
    SortedMap<Integer, Child> children,
    long ttl,
    Positions survived) {

  /**
   * How long an item is kept after its last write, in seconds: 15 days, a day more than any
   * message.
   */
  public static final long KEPT_SECONDS = 15 * 24 * 3600L;

  public Claim {
    children = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(children));
  }

  /** A claim of which no attempt was taken back. */
  public Claim(
      String id,
      ClaimState state,
      String owner,
      String nonce,
      int attempt,
      long seq,
      int releases,
      long leaseEnd,
      Positions started,
      Positions done,
      SortedMap<Integer, Child> children,
      long ttl) {
    this(
        id,
        state,
        owner,
        nonce,
        attempt,
        seq,
        releases,
        leaseEnd,
        started,
        done,
        children,
        ttl,
        Positions.none());
  }

  /** The ttl of an item that is written now. */
  public static long ttl(Moment now) {
    return now.service() / 1000 + KEPT_SECONDS;
  }

  /** Positions that are no longer this bundle's. */
  public Positions handedOn() {
    Positions all = Positions.none();
    for (Child child : children.values()) {
      all = all.plus(child.tasks());
    }
    return all;
  }

  /** Claim attempts that did not end in a release, whatever became of their owners. */
  public int attemptsInAll() {
    return attempt - releases;
  }

  /**
   * Claim attempts that count toward the limit of deaths: those that neither ended in a release nor
   * were taken back by an owner that lives.
   */
  public int countedAttempts() {
    return attemptsInAll() - survived.size();
  }

  /** The same claim, this attempt taken back. */
  Claim withSurvived(int attemptLost) {
    return new Claim(
        id,
        state,
        owner,
        nonce,
        attempt,
        seq,
        releases,
        leaseEnd,
        started,
        done,
        children,
        ttl,
        survived.plus(Positions.of(attemptLost)));
  }
}
