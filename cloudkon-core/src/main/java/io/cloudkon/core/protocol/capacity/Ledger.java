package io.cloudkon.core.protocol.capacity;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A complete ledger on which {@link LedgerRules} operate. Used by one thread at a time, which its
 * owner must ensure.
 */
public final class Ledger {
  LedgerCounter counter = LedgerCounter.NONE;
  final TreeMap<String, Share> shares = new TreeMap<>();
  final TreeMap<String, Waiting> waiting = new TreeMap<>();
  @Nullable Reservation reservation;

  /** The whole content. */
  public LedgerView view() {
    return new LedgerView(
        counter, List.copyOf(shares.values()), List.copyOf(waiting.values()), reservation);
  }

  /** The totals. */
  public LedgerCounter counter() {
    return counter;
  }

  /** The reservation; null if there is none. */
  public @Nullable Reservation reservation() {
    return reservation;
  }

  /** Writes a waiting job and replaces its entry, except for the time since which it waits. */
  public void put(Waiting job) {
    waiting.merge(
        job.job(),
        job,
        (before, now) ->
            new Waiting(now.job(), now.ranks(), before.since(), now.worker(), now.leaseEnd()));
  }

  /** Removes this worker's entry of a waiting job; an entry of another worker is kept. */
  public void removeWaiting(String job, String worker) {
    waiting.computeIfPresent(job, (key, item) -> item.worker().equals(worker) ? null : item);
  }

  /** Removes everything. */
  public void clear() {
    counter = LedgerCounter.NONE;
    shares.clear();
    waiting.clear();
    reservation = null;
  }
}
