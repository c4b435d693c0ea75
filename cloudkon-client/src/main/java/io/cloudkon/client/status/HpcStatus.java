package io.cloudkon.client.status;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A cluster's HPC jobs at one moment.
 *
 * @param jobs messages in the queue of jobs
 * @param ranks messages in the queue of ranks that look for a slot
 * @param ledger who has slots, and which are promised
 * @param missing the queue or table that a cluster of an older version does not have; empty if all
 *     are there. Everything else is empty then
 */
public record HpcStatus(QueueDepth jobs, QueueDepth ranks, LedgerView ledger, String missing) {
  private static final QueueDepth EMPTY = new QueueDepth(0, 0, 0);
  private static final Comparator<Share> BY_JOB =
      Comparator.comparing(Share::job).thenComparing(Share::id);

  /** Where there is nothing. */
  public static final HpcStatus NONE = new HpcStatus(EMPTY, EMPTY, LedgerView.EMPTY, "");

  /** Reads it: two calls, and as many as the ledger is large. */
  public static HpcStatus read(Cluster.Hpc hpc) {
    try {
      return new HpcStatus(hpc.jobs().depth(), hpc.ranks().depth(), hpc.ledger().view(), "");
    } catch (MissingResourceException e) {
      return new HpcStatus(EMPTY, EMPTY, LedgerView.EMPTY, e.resource());
    }
  }

  /** No job is in a queue or in the ledger. */
  public boolean quiet() {
    return count(jobs) + count(ranks) == 0
        && gangs().isEmpty()
        && ledger.waiting().isEmpty()
        && ledger.reservation() == null;
  }

  private static long count(QueueDepth depth) {
    return depth.waiting() + depth.inFlight() + depth.delayed();
  }

  /** Jobs that nobody has received. */
  public long jobsInQueue() {
    return jobs.waiting() + jobs.delayed();
  }

  /** Every gang that has slots, by job; of managers that died too, until somebody sweeps it. */
  public List<Share> gangs() {
    return shares(Share.Kind.GANG).sorted(BY_JOB).toList();
  }

  /** Workers that live and take HPC jobs. */
  public List<Share> workers(long nowMillis) {
    return shares(Share.Kind.WORKER)
        .filter(share -> share.leaseEnd() >= nowMillis)
        .sorted(Comparator.comparing(Share::id))
        .toList();
  }

  private Stream<Share> shares(Share.Kind kind) {
    return ledger.shares().stream().filter(share -> share.kind() == kind);
  }

  /** Slots of those workers. */
  public int slots(long nowMillis) {
    return ledger.liveSlots(nowMillis);
  }

  /** Slots that no gang has; tasks may run on them. */
  public int free() {
    return Math.max(0, ledger.counter().free());
  }

  /** Jobs that wait for slots in the hands of a worker that lives, the longest first. */
  public List<Waiting> waiting(long nowMillis) {
    return ledger.waiting().stream()
        .filter(job -> lives(job.leaseEnd(), nowMillis))
        .sorted(Comparator.comparingLong(Waiting::since).thenComparing(Waiting::job))
        .toList();
  }

  /** The reservation, if somebody who lives has it. */
  public Optional<Reservation> reservation(long nowMillis) {
    return Optional.ofNullable(ledger.reservation())
        .filter(reservation -> lives(reservation.leaseEnd(), nowMillis));
  }

  /** Whether a lease counts, clocks being as far apart as they may. */
  public static boolean lives(long leaseEnd, long nowMillis) {
    return leaseEnd + LeaseSettings.DEFAULT.margin() > nowMillis;
  }
}
