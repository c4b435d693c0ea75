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
 * @param nonce the nonce of the receive by which it was last acquired
 * @param attempt the fencing token, which each acquisition raises
 * @param seq the sequence number of the owner's last write; 0 after an acquisition
 * @param releases how often it was released
 * @param leaseEnd when the lease ends; service clock, epoch milliseconds
 * @param started positions recorded as started
 * @param done positions whose final result was accepted by the response queue
 * @param children the tasks that were handed on, by k
 * @param ttl when the item may be removed; epoch seconds
 * @param survived the attempts that their owners took back, because they lost the lease but were
 *     alive
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
   * How long an item is kept after its last write, in seconds: 29 days. A client sends a bundle
   * again up to 14 days after its last send, and SQS keeps that message for another 14 days. A
   * claim must outlive it, or the tasks that it records would start again.
   */
  public static final long KEPT_SECONDS = 29 * 24 * 3600L;

  public Claim {
    children = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(children));
  }

  /** A claim without attempts that were taken back. */
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

  /** The time to live of an item that is written now. */
  public static long ttl(Moment now) {
    return now.service() / 1000 + KEPT_SECONDS;
  }

  /** The positions that were handed on. */
  public Positions handedOn() {
    Positions all = Positions.none();
    for (Child child : children.values()) {
      all = all.plus(child.tasks());
    }
    return all;
  }

  /** Whether this receive acquired it last, and it is not done. */
  public boolean acquiredBy(String receive) {
    return nonce.equals(receive) && state != ClaimState.DONE;
  }

  /** The number of attempts that did not end in a release, whether their owners died or not. */
  public int attemptsInAll() {
    return attempt - releases;
  }

  /**
   * The number of attempts that count as deaths: those that neither ended in a release nor were
   * taken back by a live owner.
   */
  public int countedAttempts() {
    return attemptsInAll() - survived.size();
  }

  /** The same claim with this attempt taken back. */
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
