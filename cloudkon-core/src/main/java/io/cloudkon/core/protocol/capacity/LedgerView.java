package io.cloudkon.core.protocol.capacity;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The content of a ledger at one reading; its items may be from slightly different moments.
 *
 * @param counter the totals
 * @param shares the shares of workers and gangs
 * @param waiting the waiting jobs
 * @param reservation the cluster's one reservation; null if there is none
 */
public record LedgerView(
    LedgerCounter counter,
    List<Share> shares,
    List<Waiting> waiting,
    @Nullable Reservation reservation) {
  /** The view of an empty ledger. */
  public static final LedgerView EMPTY =
      new LedgerView(LedgerCounter.NONE, List.of(), List.of(), null);

  public LedgerView {
    shares = List.copyOf(shares);
    waiting = List.copyOf(waiting);
  }

  /** The number of slots of workers whose lease is valid at this time of the service's clock. */
  public int liveSlots(long serviceMillis) {
    return shares.stream()
        .filter(share -> share.kind() == Share.Kind.WORKER && share.leaseEnd() >= serviceMillis)
        .mapToInt(Share::slots)
        .sum();
  }

  /**
   * Whether a worker is in the ledger with a lease that is valid at this time of the service's
   * clock.
   */
  public boolean hasLive(String worker, long serviceMillis) {
    return shares.stream()
        .anyMatch(share ->
            share.kind() == Share.Kind.WORKER
                && share.id().equals(worker)
                && share.leaseEnd() >= serviceMillis);
  }

  /** Whether a waiting job has more ranks than the live workers have slots. */
  public boolean outgrown(long serviceMillis) {
    int live = liveSlots(serviceMillis);
    return waiting.stream().anyMatch(job -> job.ranks() > live);
  }

  /**
   * The job that has waited longest among those whose receiver is live and that have at most that
   * many ranks.
   */
  public Optional<Waiting> oldest(long serviceMillis, int mostRanks) {
    return waiting.stream()
        .filter(job -> job.leaseEnd() >= serviceMillis && job.ranks() <= mostRanks)
        .min(Comparator.comparingLong(Waiting::since).thenComparing(Waiting::job));
  }
}
