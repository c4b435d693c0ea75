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
 * The HPC jobs of a cluster at one moment.
 *
 * @param jobs messages in the queue of jobs
 * @param ranks messages in the queue of ranks that look for a slot
 * @param ledger the ledger of workers' slots, gangs and reservations
 * @param missing the queue or table that an older cluster lacks, in which case everything else is
 *     empty; empty if all exist
 */
public record HpcStatus(QueueDepth jobs, QueueDepth ranks, LedgerView ledger, String missing) {
  private static final QueueDepth EMPTY = new QueueDepth(0, 0, 0);
  private static final Comparator<Share> BY_JOB =
      Comparator.comparing(Share::job).thenComparing(Share::id);

  /** Reads the status with two calls, and as many more as the ledger's size requires. */
  public static HpcStatus read(Cluster.Hpc hpc) {
    try {
      return new HpcStatus(hpc.jobs().depth(), hpc.ranks().depth(), hpc.ledger().view(), "");
    } catch (MissingResourceException e) {
      return new HpcStatus(EMPTY, EMPTY, LedgerView.EMPTY, e.resource());
    }
  }

  /** Whether no job is in a queue or in the ledger. */
  public boolean quiet() {
    return count(jobs) + count(ranks) == 0
        && gangs().isEmpty()
        && ledger.waiting().isEmpty()
        && ledger.reservation() == null;
  }

  private static long count(QueueDepth depth) {
    return depth.waiting() + depth.inFlight() + depth.delayed();
  }

  /** The number of jobs that no worker has received. */
  public long jobsInQueue() {
    return jobs.waiting() + jobs.delayed();
  }

  /** All gangs that have slots, by job, including those of dead managers until they are swept. */
  public List<Share> gangs() {
    return shares(Share.Kind.GANG).sorted(BY_JOB).toList();
  }

  /** The live workers that take HPC jobs. */
  public List<Share> workers(long nowMillis) {
    return shares(Share.Kind.WORKER)
        .filter(share -> share.leaseEnd() >= nowMillis)
        .sorted(Comparator.comparing(Share::id))
        .toList();
  }

  private Stream<Share> shares(Share.Kind kind) {
    return ledger.shares().stream().filter(share -> share.kind() == kind);
  }

  /** The number of slots of those workers. */
  public int slots(long nowMillis) {
    return ledger.liveSlots(nowMillis);
  }

  /** The number of slots that no gang has; tasks may run on them. */
  public int free() {
    return Math.max(0, ledger.counter().free());
  }

  /** The jobs that live workers hold and that wait for slots, the longest wait first. */
  public List<Waiting> waiting(long nowMillis) {
    return ledger.waiting().stream()
        .filter(job -> lives(job.leaseEnd(), nowMillis))
        .sorted(Comparator.comparingLong(Waiting::since).thenComparing(Waiting::job))
        .toList();
  }

  /** The reservation, if a live worker has it. */
  public Optional<Reservation> reservation(long nowMillis) {
    return Optional.ofNullable(ledger.reservation())
        .filter(reservation -> lives(reservation.leaseEnd(), nowMillis));
  }

  /** Whether a lease is valid, allowing for the maximum difference between clocks. */
  public static boolean lives(long leaseEnd, long nowMillis) {
    return leaseEnd + LeaseSettings.DEFAULT.margin() > nowMillis;
  }
}
