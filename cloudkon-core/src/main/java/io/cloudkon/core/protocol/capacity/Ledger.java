package io.cloudkon.core.protocol.capacity;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A whole ledger, as {@link LedgerRules} work on it. For one thread at a time; whoever keeps one
 * sees to that.
 */
public final class Ledger {
  LedgerCounter counter = LedgerCounter.NONE;
  final TreeMap<String, Share> shares = new TreeMap<>();
  final TreeMap<String, Waiting> waiting = new TreeMap<>();
  @Nullable Reservation reservation;

  /** All of it. */
  public LedgerView view() {
    return new LedgerView(
        counter, List.copyOf(shares.values()), List.copyOf(waiting.values()), reservation);
  }

  /** The sums. */
  public LedgerCounter counter() {
    return counter;
  }

  /** The reservation; null if there is none. */
  public @Nullable Reservation reservation() {
    return reservation;
  }

  /** Writes a waiting job over what stands there of it, but for since when it waits. */
  public void put(Waiting job) {
    waiting.merge(
        job.job(),
        job,
        (before, now) ->
            new Waiting(now.job(), now.ranks(), before.since(), now.worker(), now.leaseEnd()));
  }

  /** The job waits no more, as far as this worker knows; another's item stays. */
  public void removeWaiting(String job, String worker) {
    waiting.computeIfPresent(job, (key, item) -> item.worker().equals(worker) ? null : item);
  }

  /** Nothing is in it any more. */
  public void clear() {
    counter = LedgerCounter.NONE;
    shares.clear();
    waiting.clear();
    reservation = null;
  }
}
