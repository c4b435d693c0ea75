package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.worker.WorkerEvent.Arrival;
import io.cloudkon.core.time.Moment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event for a worker as the manager of HPC jobs. */
public sealed interface GangEvent {

  /**
   * A receive of jobs came back.
   *
   * @param begun when it was sent
   */
  record Received(List<Arrival> jobs, Moment begun) implements GangEvent {}

  /** A receive of jobs failed in passing. */
  record ReceiveFailed() implements GangEvent {}

  /** Something happened to one job, as to a bundle. */
  record OfBundle(long job, BundleEvent event) implements GangEvent {}

  /** A job's claim was read; null if there is none. */
  record ClaimRead(long job, @Nullable Claim claim) implements GangEvent {}

  /** The offers that were to go out are in the queue of ranks. */
  record Offered(String gang) implements GangEvent {}

  /** Some offers could not be sent, and the back-off is over. */
  record OfferFailed(String gang) implements GangEvent {}

  /**
   * A sub-worker has slots in hand for these ranks; answered by {@link GangEffect.Welcome}.
   *
   * @param call names the question
   */
  record Register(long call, String gang, String worker, List<Integer> ranks)
      implements GangEvent {}

  /**
   * A sub-worker's beat; answered by {@link GangEffect.Standing}.
   *
   * @param call names the question
   * @param leaving whether it drains: it goes as soon as the gang runs nothing
   */
  record Report(long call, String gang, String worker, List<Ended> ended, boolean leaving)
      implements GangEvent {}

  /**
   * A rank has ended.
   *
   * @param job the job's bundle id
   */
  record Ended(String job, int attempt, int rank, How how) {}

  /** How a rank may end. */
  enum How {
    /** By itself, and well. */
    WELL,
    /** By itself, or by its timeout, and not well: the job fails. */
    FAILED,
    /** With others of its program, as mpiexec ends them all when one fails: the job fails. */
    ENDED,
    /** Its worker ended it: that is no failure of the job. */
    KILLED,
    /** Its worker drains, and it never began: that is no attempt, either. */
    LEFT
  }

  /** A sub-worker could not be told to start its ranks, or refused. */
  record StartFailed(String gang, String worker) implements GangEvent {}

  /**
   * What its manager runs beside the ranks, an MPI program's launcher, failed: the job's ranks are
   * to end, and it fails.
   *
   * @param job the job's bundle id
   * @param started whether any sub-worker may have been told to start its ranks; none will be if
   *     not
   */
  record LaunchFailed(String gang, String job, int attempt, boolean started) implements GangEvent {}

  /**
   * What its manager runs beside the ranks was ended before any sub-worker was told to start its
   * ranks, and none will be.
   *
   * @param job the job's bundle id
   */
  record NotLaunched(String gang, String job, int attempt) implements GangEvent {}

  /**
   * A launch that the manager's worker could not begin, through a fault of its own: no sub-worker
   * was told to start its ranks, and another manager is to have the job.
   *
   * @param job the job's bundle id
   * @param reason the fault, in one line
   * @param hiddenMillis for how long nobody is to receive the job, as this worker would be the next
   *     to have it, in milliseconds; 0 where it receives nothing before it is well
   */
  record LaunchHindered(String gang, String job, int attempt, String reason, long hiddenMillis)
      implements GangEvent {}

  /** A change of the ledger was answered. */
  record Changed(String token, boolean accepted) implements GangEvent {}

  /** A change of the ledger failed in passing, and the back-off is over. */
  record ChangeFailed(String token) implements GangEvent {}

  /** A share's renewal was answered. */
  record Renewed(String key, boolean there) implements GangEvent {}

  /** The reservation's renewal was answered. */
  record ReservationRenewed(String job, boolean there) implements GangEvent {}

  /**
   * The ledger was read.
   *
   * @param begun when it was asked for
   * @param fleet what a provisioner may launch, read after the ledger; null if that was not read,
   *     so that nothing is known but what was known before
   */
  record Viewed(LedgerView view, Moment begun, RankLimit.@Nullable Fleet fleet)
      implements GangEvent {}

  /**
   * The reservation was looked at.
   *
   * @param sums null if they were not asked for
   * @param reservation null if there is none
   */
  record Looked(@Nullable LedgerCounter sums, @Nullable Reservation reservation)
      implements GangEvent {
    /** Without the sums. */
    public Looked(@Nullable Reservation reservation) {
      this(null, reservation);
    }
  }

  /** The ledger could not be read. */
  record ReadFailed() implements GangEvent {}

  /** The worker leaves: what runs may end. */
  record Drain() implements GangEvent {}

  /** The worker leaves at once: what runs is to be killed. */
  record Kill() implements GangEvent {}

  /** Time went by. */
  record Tick() implements GangEvent {}
}
