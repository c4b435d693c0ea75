package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.Reservation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An action that a manager's machine asks for. */
public sealed interface GangEffect {

  /** Receive up to {@code max} jobs. */
  record Receive(int max) implements GangEffect {}

  /** An effect of one job's bundle machine. */
  record OfBundle(long job, BundleEffect effect) implements GangEffect {}

  /**
   * Continue with the job under another key and nonce and with the same message, because its claim
   * was given back and a nonce can acquire only once.
   */
  record Rearm(long job, long newKey, String nonce) implements GangEffect {}

  /** Read a job's claim; answered by {@link GangEvent.ClaimRead}, or never. */
  record ReadClaim(long job, String claim) implements GangEffect {}

  /** Call the ledger. */
  record OfLedger(CapacityEffect.Call call) implements GangEffect {}

  /** Create the secret of a new gang. */
  record Open(String gang) implements GangEffect {}

  /**
   * Send one message for each of these ranks to the queue of ranks.
   *
   * @param job the job for which the gang forms
   * @param attempt the attempt of its claim
   * @param size the number of ranks of the gang
   * @param deadline when the offers expire; service clock, epoch milliseconds
   */
  record Offer(String gang, long job, int attempt, int size, List<Integer> ranks, long deadline)
      implements GangEffect {}

  /**
   * Answer a registration.
   *
   * @param accepted the ranks that belong to this sub-worker; empty if there are none
   * @param leaseMillis the remaining time of the manager's lease, without deduction of the margin
   */
  record Welcome(long call, String gang, List<Integer> accepted, long leaseMillis)
      implements GangEffect {}

  /**
   * Answer a heartbeat.
   *
   * @param known false if the gang no longer exists, or the sub-worker does not belong to it
   * @param leaseMillis the remaining time of the manager's lease; 0 if the ranks are to be stopped
   */
  record Standing(long call, boolean known, long leaseMillis) implements GangEffect {}

  /**
   * Tell these sub-workers to start their ranks.
   *
   * @param ranks the ranks by sub-worker
   */
  record Start(String gang, long job, int attempt, int size, Map<String, List<Integer>> ranks)
      implements GangEffect {}

  /** Tell these sub-workers to stop the job's ranks; nobody waits for the answer. */
  record KillRanks(String gang, String job, int attempt, List<String> workers)
      implements GangEffect {}

  /** Tell these sub-workers, as far as they can be reached, that the gang no longer exists. */
  record Dissolve(String gang, List<String> workers) implements GangEffect {}

  /**
   * Create the job's result from the reports of its ranks, which have ended, and report Finished.
   *
   * @param gang the gang that ran it, or {@link #NO_GANG}
   */
  record Settle(long job, String gang, Verdict verdict) implements GangEffect {
    /** Stands for the gang of a job that never had one. */
    public static final String NO_GANG = "";
  }

  /** Report the reservation as it is known now; null if there is none. */
  record Reserved(@Nullable Reservation reservation) implements GangEffect {}

  /** The outcome of a job. */
  sealed interface Verdict {
    /** All of its ranks succeeded. */
    record Succeeded() implements Verdict {}

    /** This rank failed, and the others were stopped for this reason. */
    record RankFailed(int rank) implements Verdict {}

    /** The launcher that the manager runs failed; the driver knows the reason. */
    record LaunchFailed() implements Verdict {}

    /**
     * It has more ranks than a job may have.
     *
     * @param limit the limit and its reason
     */
    record TooLarge(RankLimit limit) implements Verdict {}
  }
}
