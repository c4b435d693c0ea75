package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.worker.WorkerEvent.Arrival;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event for a worker as the manager of HPC jobs. */
public sealed interface GangEvent {

  /**
   * A receive of jobs was answered.
   *
   * @param begun when it was sent
   */
  record Received(List<Arrival> jobs, Moment begun) implements GangEvent {}

  /** A receive of jobs failed temporarily. */
  record ReceiveFailed() implements GangEvent {}

  /** An event for one job's bundle machine. */
  record OfBundle(long job, BundleEvent event) implements GangEvent {}

  /** A job's claim was read; null if there is none. */
  record ClaimRead(long job, @Nullable Claim claim) implements GangEvent {}

  /** The offers of these ranks could not be sent, and the back-off is over. */
  record OfferFailed(String gang, Set<Integer> ranks) implements GangEvent {}

  /**
   * A sub-worker has free slots for these ranks; answered by {@link GangEffect.Welcome}.
   *
   * @param call the id of the call
   */
  record Register(long call, String gang, String worker, List<Integer> ranks)
      implements GangEvent {}

  /**
   * A sub-worker's heartbeat; answered by {@link GangEffect.Standing}.
   *
   * @param call the id of the call
   * @param leaving whether it drains and leaves as soon as the gang runs nothing
   */
  record Report(long call, String gang, String worker, List<Ended> ended, boolean leaving)
      implements GangEvent {}

  /**
   * A rank has ended.
   *
   * @param job the job's bundle id
   */
  record Ended(String job, int attempt, int rank, How how) {}

  /** The ways in which a rank may end. */
  enum How {
    /** It succeeded. */
    WELL,
    /** It failed by itself or exceeded its time limit: the job fails. */
    FAILED,
    /** mpiexec stopped it with all other ranks of its program because one failed: the job fails. */
    ENDED,
    /** Its worker stopped it, which is not a failure of the job. */
    KILLED,
    /** Its worker drains, and it never began, which does not count as an attempt either. */
    LEFT
  }

  /**
   * A sub-worker could not be told to start its ranks, or refused.
   *
   * @param job the job's bundle id; by now the gang may serve another one
   */
  record StartFailed(String gang, String job, int attempt, String worker) implements GangEvent {}

  /**
   * The launcher of an MPI program, which the manager runs, failed: the job's ranks are to be
   * stopped, and the job fails.
   *
   * @param job the job's bundle id
   * @param started whether any sub-worker may have been told to start its ranks; if not, none will
   *     be
   */
  record LaunchFailed(String gang, String job, int attempt, boolean started) implements GangEvent {}

  /**
   * The launcher was stopped before any sub-worker was told to start its ranks, and none will be.
   *
   * @param job the job's bundle id
   */
  record NotLaunched(String gang, String job, int attempt) implements GangEvent {}

  /**
   * The manager's worker could not start the launcher because of a problem of its own: no
   * sub-worker was told to start its ranks, and another manager is to take the job.
   *
   * @param job the job's bundle id
   * @param reason the problem, in one line
   * @param hiddenMillis how long the job is hidden, because this worker might receive it again, in
   *     milliseconds; 0 if the worker receives nothing before it has recovered
   */
  record LaunchHindered(String gang, String job, int attempt, String reason, long hiddenMillis)
      implements GangEvent {}

  /** A change of the ledger was answered. */
  record Changed(String token, boolean accepted) implements GangEvent {}

  /** A change of the ledger failed temporarily, and the back-off is over. */
  record ChangeFailed(String token) implements GangEvent {}

  /** A share's renewal was answered. */
  record Renewed(String key, boolean there) implements GangEvent {}

  /** The reservation's renewal was answered. */
  record ReservationRenewed(String job, boolean there) implements GangEvent {}

  /**
   * The ledger was read.
   *
   * @param begun when the read began
   * @param fleet the fleet that a provisioner may launch, read after the ledger; null if it was not
   *     read, and then the previous value remains known
   */
  record Viewed(LedgerView view, Moment begun, RankLimit.@Nullable Fleet fleet)
      implements GangEvent {}

  /**
   * The reservation was read.
   *
   * @param sums the totals; null if they were not read
   * @param reservation the reservation; null if there is none
   */
  record Looked(@Nullable LedgerCounter sums, @Nullable Reservation reservation)
      implements GangEvent {
    /** A reservation that was read without the totals. */
    public Looked(@Nullable Reservation reservation) {
      this(null, reservation);
    }
  }

  /** The ledger could not be read. */
  record ReadFailed() implements GangEvent {}

  /** The worker drains: running ranks may finish. */
  record Drain() implements GangEvent {}

  /** The worker ends at once: running ranks are to be killed. */
  record Kill() implements GangEvent {}

  /** Time has passed. */
  record Tick() implements GangEvent {}
}
