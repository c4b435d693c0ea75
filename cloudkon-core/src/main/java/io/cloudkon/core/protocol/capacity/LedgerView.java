package io.cloudkon.core.protocol.capacity;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All of a ledger, as one look found it; its items may be of slightly different moments.
 *
 * @param counter the sums
 * @param shares of workers and gangs
 * @param waiting jobs that wait
 * @param reservation the cluster's one reservation; null if there is none
 */
public record LedgerView(
    LedgerCounter counter,
    List<Share> shares,
    List<Waiting> waiting,
    @Nullable Reservation reservation) {
  /** Of a ledger in which nobody is. */
  public static final LedgerView EMPTY =
      new LedgerView(LedgerCounter.NONE, List.of(), List.of(), null);

  public LedgerView {
    shares = List.copyOf(shares);
    waiting = List.copyOf(waiting);
  }

  /** Slots that workers with a live lease have at this moment of the service's clock. */
  public int liveSlots(long serviceMillis) {
    return shares.stream()
        .filter(share -> share.kind() == Share.Kind.WORKER && share.leaseEnd() >= serviceMillis)
        .mapToInt(Share::slots)
        .sum();
  }

  /** Whether a worker is in it, and its lease runs at this moment of the service's clock. */
  public boolean hasLive(String worker, long serviceMillis) {
    return shares.stream()
        .anyMatch(share ->
            share.kind() == Share.Kind.WORKER
                && share.id().equals(worker)
                && share.leaseEnd() >= serviceMillis);
  }

  /** Whether a job waits that has more ranks than the live workers have slots. */
  public boolean outgrown(long serviceMillis) {
    int live = liveSlots(serviceMillis);
    return waiting.stream().anyMatch(job -> job.ranks() > live);
  }

  /** The job that has waited longest of those whose receiver lives, and that has so few ranks. */
  public Optional<Waiting> oldest(long serviceMillis, int mostRanks) {
    return waiting.stream()
        .filter(job -> job.leaseEnd() >= serviceMillis && job.ranks() <= mostRanks)
        .min(Comparator.comparingLong(Waiting::since).thenComparing(Waiting::job));
  }
}
