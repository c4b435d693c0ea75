package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.gang.JobPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Handles the reports of the sub-workers of a manager's gangs, stops a job's ranks when one fails
 * or is lost, and settles jobs whose ranks have ended.
 */
final class GangSupervision {
  private static final Positions THE_JOB = Positions.range(0, 1);

  /** The delay after which waiting jobs try again when slots become free, in milliseconds. */
  private static final long FREED_AGAIN_MILLIS = 200;

  private final GangSettings settings;
  private final WorkerExit exit;
  private final ManagedGangs gangs;
  private final JobsInHand jobs;
  private final SlotLedger ledger;
  private final Consumer<GangEffect> out;

  GangSupervision(
      GangSettings settings,
      WorkerExit exit,
      ManagedGangs gangs,
      JobsInHand jobs,
      SlotLedger ledger,
      Consumer<GangEffect> out) {
    this.settings = settings;
    this.exit = exit;
    this.gangs = gangs;
    this.jobs = jobs;
    this.ledger = ledger;
    this.out = out;
  }

  // ---- what sub-workers say

  void register(GangEvent.Register register, Moment now) {
    Gang gang = gangs.find(register.gang());
    if (gang == null) {
      out.accept(new GangEffect.Welcome(register.call(), register.gang(), List.of(), 0));
      return;
    }
    boolean filled = gang.fills();
    List<Integer> accepted = gang.register(register.worker(), register.ranks(), now);
    out.accept(
        new GangEffect.Welcome(register.call(), register.gang(), accepted, leaseOf(gang, now)));
    if (filled && !gang.fills()) {
      ledger.unreserve(gang.reservedFor);
    }
  }

  void report(GangEvent.Report report, Moment now) {
    Gang gang = gangs.find(report.gang());
    boolean known = gang != null && gang.beat(report.worker(), now);
    if (gang != null) {
      if (known && report.leaving()) {
        // It stays until it is released, because an order to start may be on its way to it.
        gang.retire();
      }
      GangRun run = gang.run();
      for (GangEvent.Ended end : report.ended()) {
        if (run != null && run.ended(end, report.leaving())) {
          if (end.how() == GangEvent.How.LEFT) {
            // That worker could not start a rank of the next job either.
            gang.retire();
          }
          gangs.stop(gang);
        }
      }
    }
    long lease = gang != null && known ? leaseOf(gang, now) : 0;
    out.accept(new GangEffect.Standing(report.call(), known, lease));
  }

  private long leaseOf(Gang gang, Moment now) {
    Job job = gang.current();
    return switch (gang.state().phase()) {
      case FORMING, OFFERED, ABANDONED, STANDING, RETIRED -> settings.lease().lease();
      case SERVING, SERVING_LAST -> job == null ? 0 : job.machine().leaseLeft(now);
      case STOPPING, STOPPING_LAST, BREAKING, GONE -> 0;
    };
  }

  // ---- what the driver says

  void offerFailed(GangEvent.OfferFailed failed) {
    Gang gang = gangs.find(failed.gang());
    if (gang != null) {
      gang.offerFailed(failed.ranks());
    }
  }

  /** Handles a sub-worker that could not be told to start its ranks. */
  void startFailed(GangEvent.StartFailed failed) {
    Gang gang = gangs.find(failed.gang());
    if (gang != null && run(gang, failed.job(), failed.attempt()) != null) {
      gang.lose(failed.worker());
    }
  }

  void launchFailed(GangEvent.LaunchFailed failed) {
    Gang gang = gangs.find(failed.gang());
    GangRun run = run(gang, failed.job(), failed.attempt());
    if (gang != null && run != null) {
      run.launchFailed(failed.started());
      gangs.stop(gang);
    }
  }

  void notLaunched(GangEvent.NotLaunched not) {
    Gang gang = gangs.find(not.gang());
    GangRun run = run(gang, not.job(), not.attempt());
    if (gang != null && run != null) {
      run.withdrawn();
      gangs.stop(gang);
    }
  }

  void launchHindered(GangEvent.LaunchHindered hindered) {
    Gang gang = gangs.find(hindered.gang());
    GangRun run = run(gang, hindered.job(), hindered.attempt());
    if (gang != null && run != null) {
      run.hindered(hindered);
      // Its slots are needed by the next manager of the job.
      gang.retire();
      gangs.stop(gang);
    }
  }

  /** The gang's current run if it is that attempt; the job itself may have been taken from it. */
  private static @Nullable GangRun run(@Nullable Gang gang, String job, int attempt) {
    GangRun run = gang == null ? null : gang.run();
    return run != null && run.is(job, attempt) ? run : null;
  }

  /**
   * Makes a gang's current job its last one, because its share in the ledger was lost and others
   * may use its slots.
   */
  void shareLost(String id, Moment now) {
    Gang gang = gangs.find(id);
    if (gang != null && gang.run() == null) {
      dissolve(gang, now);
    } else if (gang != null) {
      gang.retire();
    }
  }

  /** Stops everything because the worker ends at once. */
  void kill() {
    gangs.all().forEach(gangs::stop);
  }

  // ---- what has gone wrong, or has ended

  void tend(Moment now) {
    for (Gang gang : gangs.copy()) {
      GangRun run = gang.run();
      boolean lost = gang.anyLost(now);
      if (run == null) {
        if (lost || gang.cannotFill(now)) {
          Job job = gang.current();
          if (job != null && gang.overdue(now)) {
            job.notFilled(now);
          }
          dissolve(gang, now);
        }
        continue;
      }
      if (lost && !gang.breaks()) {
        gangs.breakUp(gang, run);
      }
      if (gang.over(run, now)) {
        ended(gang, run, now);
      }
    }
  }

  private void ended(Gang gang, GangRun run, Moment now) {
    boolean broken = gang.breaks();
    Job job = gang.ended(run, now);
    if (job != null) {
      settle(job, gang, run.end(broken, exit.killing()), now);
    }
    if (broken) {
      dissolve(gang, now);
    }
  }

  private void settle(Job job, Gang gang, GangRun.End end, Moment now) {
    switch (end) {
      case GangRun.End.Settled settled -> {
        job.move(Trigger.ENDED);
        out.accept(new GangEffect.Settle(job.key(), gang.id, settled.verdict()));
      }
      case GangRun.End.Died died ->
          giveBack(
              job, Trigger.DIED, new BundleEvent.AttemptDied(), Positions.none(), THE_JOB, now);
      case GangRun.End.Interrupted interrupted ->
          giveBack(job, Trigger.DIED, new BundleEvent.Drain(), Positions.none(), THE_JOB, now);
      case GangRun.End.NeverBegun never ->
          giveBack(job, Trigger.DIED, new BundleEvent.Drain(), THE_JOB, Positions.none(), now);
      case GangRun.End.Hindered hindered -> {
        GangEvent.LaunchHindered why = hindered.why();
        BundleEvent sick = new BundleEvent.Sick(THE_JOB, why.reason(), why.hiddenMillis());
        giveBack(job, Trigger.PASS_ON, sick, THE_JOB, Positions.none(), now);
      }
    }
  }

  private void giveBack(
      Job job,
      Trigger trigger,
      BundleEvent first,
      Positions notStarted,
      Positions killed,
      Moment now) {
    job.move(trigger);
    // This is sent first, because the following steps may give the claim back at once.
    jobs.tell(job, first, now);
    jobs.tell(job, new BundleEvent.Interrupted(notStarted, killed), now);
  }

  /** Dissolves a gang: it gives up its slots, and its jobs wait for other gangs. */
  void dissolve(Gang gang, Moment now) {
    gang.dissolve();
    gangs.remove(gang);
    out.accept(new GangEffect.Dissolve(gang.id, gang.workers()));
    if (!gang.reservedFor.isEmpty()) {
      ledger.unreserve(gang.reservedFor);
    }
    Job current = gang.letGoCurrent();
    if (current != null) {
      jobs.unplace(current, now);
    }
    Job next = gang.letGoNext();
    if (next != null) {
      jobs.unplace(next, now);
    }
    ledger.free(gang);
    for (Job job : jobs.all()) {
      job.tryAgainBy(now.mono() + FREED_AGAIN_MILLIS);
    }
  }
}
