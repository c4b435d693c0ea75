package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.gang.GangEffect.Verdict;
import io.cloudkon.core.protocol.gang.JobPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.function.Consumer;

/** Fails jobs that have more ranks than the cluster can run. */
final class OversizedJobs {
  /** How long a job that is too large waits for more workers, in milliseconds. */
  private static final long TOO_LARGE_MILLIS = 20_000;

  private final RankLimits limits;
  private final WorkerExit exit;
  private final JobsInHand jobs;
  private final SlotLedger ledger;
  private final Consumer<GangEffect> out;

  OversizedJobs(
      RankLimits limits,
      WorkerExit exit,
      JobsInHand jobs,
      SlotLedger ledger,
      Consumer<GangEffect> out) {
    this.limits = limits;
    this.exit = exit;
    this.jobs = jobs;
    this.ledger = ledger;
    this.out = out;
  }

  /** Rejects a job that waits if it can never run. */
  void judge(Job job, Moment now) {
    RankLimit limit = limits.limit(now);
    if (limit == null || job.ranks <= limit.ranks()) {
      job.fits();
      return;
    }
    boolean longEnough = limit instanceof RankLimit.Option || isTooLargeLongEnough(job, now);
    if (longEnough && !exit.draining()) {
      ledger.awaitNoMore(job);
      job.reject(new Verdict.TooLarge(limit));
      jobs.claim(job, now);
    }
  }

  /**
   * Whether all readings of the last 20 s showed that the job is too large. A provisioner's lease
   * that ends while nothing can be read shows nothing: it may have been renewed.
   */
  private boolean isTooLargeLongEnough(Job job, Moment now) {
    return limits.showedTooLarge(job.ranks)
        && limits.judgedAt() - job.tooLarge(now) >= TOO_LARGE_MILLIS;
  }

  /** Settles rejected jobs, which still need their claims to report the failure. */
  void settle(Moment now) {
    for (Job job : jobs.copy()) {
      Verdict why = job.rejection();
      if (why != null && job.ready() && jobs.take(job, now)) {
        job.move(Trigger.ENDED);
        out.accept(new GangEffect.Settle(job.key(), GangEffect.Settle.NO_GANG, why));
      }
    }
  }
}
