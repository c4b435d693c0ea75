package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.Reservation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An action that a manager's machine asks for. */
public sealed interface GangEffect {

  /** Receive up to so many jobs. */
  record Receive(int max) implements GangEffect {}

  /** What one job wants done, as a bundle. */
  record OfBundle(long job, BundleEffect effect) implements GangEffect {}

  /**
   * The job goes on under another key and nonce, by the same message: its claim was given back, and
   * a nonce acquires once.
   */
  record Rearm(long job, long newKey, String nonce) implements GangEffect {}

  /** Read a job's claim; answered by {@link GangEvent.ClaimRead}, or never. */
  record ReadClaim(long job, String claim) implements GangEffect {}

  /** Call the ledger. */
  record OfLedger(CapacityEffect.Call call) implements GangEffect {}

  /** A gang begins: it needs a secret. */
  record Open(String gang) implements GangEffect {}

  /**
   * Send one message for each of these ranks to the queue of ranks.
   *
   * @param job for which the gang forms
   * @param attempt of its claim
   * @param size of the gang
   * @param deadline when an offer is void; service clock, epoch milliseconds
   */
  record Offer(String gang, long job, int attempt, int size, List<Integer> ranks, long deadline)
      implements GangEffect {}

  /**
   * The answer to a registration.
   *
   * @param accepted ranks that are this sub-worker's; empty if none is
   * @param leaseMillis for how long the manager's lease still runs, the margin not taken off
   */
  record Welcome(long call, String gang, List<Integer> accepted, long leaseMillis)
      implements GangEffect {}

  /**
   * The answer to a beat.
   *
   * @param known false if the gang is no more, or this sub-worker none of it
   * @param leaseMillis for how long the manager's lease still runs; 0 if what runs is to end
   */
  record Standing(long call, boolean known, long leaseMillis) implements GangEffect {}

  /**
   * Tell these sub-workers to start their ranks.
   *
   * @param ranks by sub-worker
   */
  record Start(
      String gang,
      long job,
      int attempt,
      int size,
      Map<String, List<Integer>> ranks,
      long leaseMillis)
      implements GangEffect {}

  /** Tell these sub-workers to end what runs of the job; nobody waits for the answer. */
  record KillRanks(String gang, String job, int attempt, List<String> workers)
      implements GangEffect {}

  /** The gang is no more: tell these sub-workers, as far as they can be told. */
  record Dissolve(String gang, List<String> workers) implements GangEffect {}

  /** The job's ranks have ended, and what they said is its result: make it, and say Finished. */
  record Settle(long job, Verdict verdict) implements GangEffect {}

  /** What is known of the reservation now; null if there is none. */
  record Reserved(@Nullable Reservation reservation) implements GangEffect {}

  /** Why a job ended. */
  sealed interface Verdict {
    /** All its ranks ended well. */
    record Succeeded() implements Verdict {}

    /** This rank did not end well, and the others were ended for it. */
    record RankFailed(int rank) implements Verdict {}

    /** What the manager runs beside the ranks failed; the driver knows why. */
    record LaunchFailed() implements Verdict {}

    /**
     * It has more ranks than there may ever be.
     *
     * @param limit how many there may be, and why
     */
    record TooLarge(RankLimit limit) implements Verdict {}
  }
}
