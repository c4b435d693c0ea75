package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.function.Consumer;

/** Assigns waiting jobs to gangs of their size, and moves each gang a step closer to its job. */
final class Placement {
  /**
   * How long a gang without a job is kept for the next one, in milliseconds: longer than a client
   * needs to send the next job of a series, and no longer, because its slots are idle meanwhile.
   */
  static final long LINGER_MILLIS = 100;

  private final GangSettings settings;
  private final WorkerExit exit;
  private final ManagedGangs gangs;
  private final JobsInHand jobs;
  private final GangSupervision supervision;
  private final SlotLedger ledger;
  private final Consumer<GangEffect> out;

  Placement(
      GangSettings settings,
      WorkerExit exit,
      ManagedGangs gangs,
      JobsInHand jobs,
      GangSupervision supervision,
      SlotLedger ledger,
      Consumer<GangEffect> out) {
    this.settings = settings;
    this.exit = exit;
    this.gangs = gangs;
    this.jobs = jobs;
    this.supervision = supervision;
    this.ledger = ledger;
    this.out = out;
  }

  /** Places waiting jobs, and starts those that have a gang and a claim. */
  void decide(Moment now) {
    gangs.all().forEach(Gang::promote);
    if (!exit.draining()) {
      place(now);
    }
    gangs.copy().forEach(gang -> advance(gang, now));
  }

  private void place(Moment now) {
    for (Job job : jobs.copy()) {
      if (job.unplaced() && findsGang(job, now)) {
        jobs.place(job, now);
      }
    }
  }

  private boolean findsGang(Job job, Moment now) {
    for (Gang gang : gangs.all()) {
      if (gang.size == job.ranks && mayServe(gang, job) && gang.takes(job, now)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the gang may serve the job: a standing gang must not use slots that are kept for
   * another job.
   */
  private boolean mayServe(Gang gang, Job job) {
    Reservation reservation = ledger.reservation();
    return reservation == null
        || reservation.admitted()
        || ledger.isReservedFor(job)
        || gang.fills()
        || ledger.free() >= reservation.ranks();
  }

  private void advance(Gang gang, Moment now) {
    Job overdue = gang.letGoOverdue(now);
    if (overdue != null) {
      jobs.unplace(overdue, now);
    }
    Job job = gang.current();
    switch (gang.state()) {
      case GangState.Retired retired -> supervision.dissolve(gang, now);
      case GangState.Forming forming -> {
        if (job == null) {
          supervision.dissolve(gang, now);
        } else if (job.ready()) {
          offer(gang, forming, job, now);
        }
      }
      case GangState.Offered offered -> {
        if (job == null) {
          supervision.dissolve(gang, now);
        }
      }
      case GangState.Standing standing -> {
        if (job == null) {
          if (now.mono() - standing.since() >= LINGER_MILLIS || unwanted(gang)) {
            supervision.dissolve(gang, now);
          }
        } else if (job.ready()) {
          start(gang, job, now);
        }
      }
      case GangState.Running running -> {}
      case GangState.Abandoned abandoned -> {}
      case GangState.Gone gone -> {}
    }
  }

  private void offer(Gang gang, GangState.Forming forming, Job job, Moment now) {
    List<Integer> ranks = forming.offers(gang.vacant());
    long deadline = gang.offer(forming, settings.gangTimeout(), now);
    if (ranks.isEmpty()) {
      // A send whose answer was lost had succeeded, and the ranks are taken.
      return;
    }
    out.accept(
        new GangEffect.Offer(
            gang.id,
            job.key(),
            job.machine().attempt(),
            gang.size,
            ranks,
            now.service() + deadline - now.mono()));
  }

  /** Whether no job is to be expected for this gang, or others need its slots more. */
  private boolean unwanted(Gang gang) {
    Reservation reservation = ledger.reservation();
    return exit.draining()
        || (reservation != null && !reservation.admitted())
        || jobs.all().stream()
            .anyMatch(job -> job.unplaced() && (job.ranks != gang.size || gang.hasServed(job)));
  }

  /**
   * Starts the job's ranks. Ranks may run for half a lease without contact, and the claim must
   * outlast them.
   */
  private void start(Gang gang, Job job, Moment now) {
    long left = job.machine().leaseLeft(now);
    if (left < settings.silence() + settings.lease().margin() / 2 || !jobs.take(job, now)) {
      return;
    }
    job.move(JobPhase.Trigger.START);
    gang.serve(job, now);
    out.accept(
        new GangEffect.Start(gang.id, job.key(), job.machine().attempt(), gang.size, gang.ranks()));
  }
}
