package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes jobs visible to others that have waited for a while, and checks whether such jobs are
 * already done.
 */
final class WaitingJobs {
  /** How long a job waits before it becomes visible to others, in milliseconds. */
  private static final long TOLD_AFTER_MILLIS = 1_000;

  /** The time of an item of a former worker that did not write one. */
  private static final long UNKNOWN_SINCE = 1;

  private final GangSettings settings;
  private final JobsInHand jobs;
  private final OversizedJobs oversized;
  private final SlotLedger ledger;
  private final Consumer<GangEffect> out;

  WaitingJobs(
      GangSettings settings,
      JobsInHand jobs,
      OversizedJobs oversized,
      SlotLedger ledger,
      Consumer<GangEffect> out) {
    this.settings = settings;
    this.jobs = jobs;
    this.oversized = oversized;
    this.ledger = ledger;
    this.out = out;
  }

  void decide(Moment now) {
    for (Job job : jobs.copy()) {
      if (!job.is(JobPhase.WAITING) || job.waited(now) < TOLD_AFTER_MILLIS) {
        continue;
      }
      if (job.asksForItsClaim(now)) {
        out.accept(new GangEffect.ReadClaim(job.key(), job.id()));
      }
      oversized.judge(job, now);
      if (job.is(JobPhase.WAITING)) {
        ledger.await(job, now);
      }
    }
  }

  void claimRead(Job job, @Nullable Claim claim, Moment now) {
    boolean done = claim != null && claim.state() == ClaimState.DONE;
    boolean another =
        claim != null
            && (claim.state() == ClaimState.LEASED || claim.state() == ClaimState.LOSING)
            && claim.leaseEnd() >= now.expiredBefore(settings.lease().margin());
    if ((done || another) && job.is(JobPhase.WAITING)) {
      // An acquisition will be refused, and the steps after a refusal follow; if the claim has
      // changed by then, it is given back.
      jobs.claim(job, now);
    }
  }

  /**
   * The same reading with the times that this worker knows, where the items have none. A former
   * worker wrote 0, which later writes keep: its job would have waited since 1970, and have used up
   * its patience. Where this worker does not know it either, the item is left out.
   */
  LedgerView withKnownTimes(LedgerView seen) {
    if (seen.waiting().stream().noneMatch(WaitingJobs::hasNoTime)) {
      return seen;
    }
    List<Waiting> known = new ArrayList<>();
    for (Waiting item : seen.waiting()) {
      if (!hasNoTime(item)) {
        known.add(item);
      } else {
        inHand(item)
            .map(job ->
                new Waiting(item.job(), item.ranks(), job.since(), item.worker(), item.leaseEnd()))
            .ifPresent(known::add);
      }
    }
    return new LedgerView(seen.counter(), seen.shares(), known, seen.reservation());
  }

  private static boolean hasNoTime(Waiting item) {
    return item.since() <= UNKNOWN_SINCE;
  }

  private Optional<Job> inHand(Waiting item) {
    return jobs.all().stream()
        .filter(job -> job.id().equals(item.job()) && job.since() > 0)
        .findFirst();
  }

  /** Handles a reading of the whole ledger: another worker may have waited with a job before. */
  void viewed(LedgerView seen) {
    for (Waiting item : seen.waiting()) {
      inHand(item).ifPresent(job -> job.waitsSince(item.since()));
    }
  }
}
