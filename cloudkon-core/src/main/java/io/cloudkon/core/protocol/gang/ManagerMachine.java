package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.CapacityMachine;
import io.cloudkon.core.protocol.capacity.CapacityPhase;
import io.cloudkon.core.protocol.capacity.CapacitySettings;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * One worker as the manager of HPC jobs (section 6 of the protocol): reserve, claim, offer the
 * ranks, start when all are there, settle, free. A standing gang serves further jobs of its size.
 * This class dispatches events and orders the decisions, which separate classes make. Pure; used by
 * one thread at a time.
 */
public final class ManagerMachine {
  private final GangSettings settings;
  private final CapacityMachine capacity;
  private final List<GangEffect> effects = new ArrayList<>();
  private final WorkerExit exit = new WorkerExit();
  private final JobIntake intake;
  private final SlotLedger ledger;
  private final ManagedGangs gangs;
  private final JobsInHand jobs;
  private final GangSupervision supervision;
  private final Placement placement;
  private final Admission admission;
  private final ReservationUpkeep reservation;
  private final RankLimits limits;
  private final OversizedJobs oversized;
  private final WaitingJobs waiting;

  /**
   * A worker that is not in the ledger yet.
   *
   * @param names supplies globally unique names of at most 36 characters
   */
  public ManagerMachine(GangSettings settings, Supplier<String> names) {
    this.settings = settings;
    this.capacity =
        new CapacityMachine(
            new CapacitySettings(
                settings.worker(), settings.slots(), settings.lease(), settings.lookMillis()),
            names);
    this.intake = new JobIntake(settings.slots());
    this.ledger = new SlotLedger(settings, capacity, effects::add);
    this.gangs = new ManagedGangs(effects::add);
    this.jobs = new JobsInHand(settings, names, exit, gangs, ledger, effects::add);
    this.supervision = new GangSupervision(settings, exit, gangs, jobs, ledger, effects::add);
    this.placement = new Placement(settings, exit, gangs, jobs, supervision, ledger, effects::add);
    this.admission = new Admission(settings, names, gangs, jobs, ledger, effects::add);
    this.reservation = new ReservationUpkeep(settings, exit, gangs, jobs, ledger);
    this.limits = new RankLimits(settings);
    this.oversized = new OversizedJobs(limits, exit, jobs, ledger, effects::add);
    this.waiting = new WaitingJobs(settings, jobs, oversized, ledger, effects::add);
  }

  /** Processes an event and returns the effects. */
  public List<GangEffect> on(GangEvent event, Moment now) {
    happened(event, now);
    decide(now);
    List<GangEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  private void happened(GangEvent event, Moment now) {
    switch (event) {
      case GangEvent.Received received -> {
        intake.received();
        jobs.received(received.jobs(), received.begun(), now);
      }
      case GangEvent.ReceiveFailed failed -> intake.failed(now);
      case GangEvent.OfBundle of ->
          jobs.byKey(of.job()).ifPresent(job -> jobs.tell(job, of.event(), now));
      case GangEvent.ClaimRead read ->
          jobs.byKey(read.job()).ifPresent(job -> waiting.claimRead(job, read.claim(), now));
      case GangEvent.OfferFailed failed -> supervision.offerFailed(failed);
      case GangEvent.Register register -> supervision.register(register, now);
      case GangEvent.Report report -> supervision.report(report, now);
      case GangEvent.StartFailed failed -> supervision.startFailed(failed);
      case GangEvent.LaunchFailed failed -> supervision.launchFailed(failed);
      case GangEvent.NotLaunched not -> supervision.notLaunched(not);
      case GangEvent.LaunchHindered hindered -> supervision.launchHindered(hindered);
      case GangEvent.Changed changed ->
          relay(capacity.changed(changed.token(), changed.accepted(), now), now);
      case GangEvent.ChangeFailed failed -> relay(capacity.changeFailed(failed.token()), now);
      case GangEvent.Renewed renewed ->
          relay(capacity.renewed(renewed.key(), renewed.there()), now);
      case GangEvent.ReservationRenewed renewed ->
          relay(capacity.reservationRenewed(renewed.job(), renewed.there()), now);
      case GangEvent.Viewed viewed -> {
        relay(capacity.viewed(viewed.view(), now), now);
        viewed(viewed, now);
      }
      case GangEvent.Looked looked ->
          relay(capacity.looked(looked.sums(), looked.reservation(), now), now);
      case GangEvent.ReadFailed failed -> relay(capacity.readFailed(), now);
      case GangEvent.Drain drain -> drain(now);
      case GangEvent.Kill kill -> {
        boolean first = !exit.draining();
        exit.kill();
        if (first) {
          leave(now);
        }
        supervision.kill();
      }
      case GangEvent.Tick tick -> {
        relay(capacity.tick(now), now);
        jobs.tellAll(new BundleEvent.Tick(), now);
      }
    }
  }

  private void drain(Moment now) {
    if (!exit.draining()) {
      exit.drain();
      leave(now);
    }
  }

  private void leave(Moment now) {
    jobs.drain(now);
    ledger.leave();
  }

  private void relay(List<CapacityEffect> of, Moment now) {
    for (CapacityEffect effect : of) {
      switch (effect) {
        case CapacityEffect.Call call -> effects.add(new GangEffect.OfLedger(call));
        case CapacityEffect.Reserved reserved -> ledger.tell(reserved);
        case CapacityEffect.Admitted admitted -> admission.admitted(admitted.gangs(), now);
        case CapacityEffect.Refused refused -> admission.refused(refused.gangs(), now);
        case CapacityEffect.Lost lost -> supervision.shareLost(lost.gang(), now);
      }
    }
  }

  private void viewed(GangEvent.Viewed viewed, Moment now) {
    if (now.eitherPast(viewed.begun().plus(settings.lease().heartbeat()))) {
      // The worker was suspended meanwhile: owners whose leases were seen before may have renewed
      // them since.
      return;
    }
    limits.viewed(viewed.view(), viewed.fleet(), now);
    LedgerView seen = waiting.withKnownTimes(viewed.view());
    waiting.viewed(seen);
    reservation.viewed(seen, limits.liveSlots(), now);
  }

  private void decide(Moment now) {
    supervision.tend(now);
    placement.decide(now);
    if (!exit.draining()) {
      admission.decide(now);
    }
    reservation.giveBack();
    waiting.decide(now);
    oversized.settle(now);
    if (!exit.draining() && ledger.in()) {
      intake
          .next(jobs.all(), limits.liveSlots(), now)
          .ifPresent(max -> effects.add(new GangEffect.Receive(max)));
    }
  }

  // ---- what is known

  /** Whether no job is held and the worker has left the ledger. */
  public boolean drained() {
    return exit.draining()
        && !intake.receiving()
        && jobs.all().isEmpty()
        && gangs.size() == 0
        && capacity.settled()
        && capacity.phase() == CapacityPhase.LEFT;
  }

  /** The number of jobs that it holds. */
  public int jobsInHand() {
    return jobs.all().size();
  }

  /** The number of gangs that it manages. */
  public int gangsManaged() {
    return gangs.size();
  }

  /** The attempt of a job's claim; 0 if the job is not held. */
  public int attempt(long key) {
    return jobs.byKey(key).map(job -> job.machine().attempt()).orElse(0);
  }

  @Override
  public String toString() {
    return "jobs %s, gangs %s, ledger %s".formatted(jobs, gangs, capacity.phase());
  }
}
