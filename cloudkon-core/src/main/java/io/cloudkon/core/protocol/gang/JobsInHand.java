package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.gang.JobPhase.Trigger;
import io.cloudkon.core.protocol.worker.WorkerEvent.Arrival;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The jobs that a manager has received and not completed, each with its claim. */
final class JobsInHand {
  private final GangSettings settings;
  private final Supplier<String> names;
  private final WorkerExit exit;
  private final ManagedGangs gangs;
  private final SlotLedger ledger;
  private final Consumer<GangEffect> out;
  private final List<Job> jobs = new ArrayList<>();
  private long nextKey = -1;

  JobsInHand(
      GangSettings settings,
      Supplier<String> names,
      WorkerExit exit,
      ManagedGangs gangs,
      SlotLedger ledger,
      Consumer<GangEffect> out) {
    this.settings = settings;
    this.names = names;
    this.exit = exit;
    this.gangs = gangs;
    this.ledger = ledger;
    this.out = out;
  }

  /** All jobs in the order of their arrival. */
  List<Job> all() {
    return Collections.unmodifiableList(jobs);
  }

  /** A copy of all jobs, during whose iteration jobs may be closed. */
  List<Job> copy() {
    return List.copyOf(jobs);
  }

  Optional<Job> byKey(long key) {
    return jobs.stream().filter(job -> job.key() == key).findFirst();
  }

  /** The job with this id and phase; a copy of its message may be held as well. */
  Optional<Job> byId(String id, JobPhase phase) {
    return jobs.stream().filter(job -> job.id().equals(id) && job.is(phase)).findFirst();
  }

  void received(List<Arrival> arrivals, Moment begun, Moment now) {
    for (Arrival arrival : arrivals) {
      Job job = new Job(arrival, settings, begun);
      jobs.add(job);
      if (exit.draining()) {
        tell(job, new BundleEvent.Drain(), now);
      }
    }
  }

  /** Passes an event to a job's bundle machine. */
  void tell(Job job, BundleEvent event, Moment now) {
    emit(job, job.machine().on(event, now), now);
    if (job.is(JobPhase.SETTLING) && job.ready() && !exit.draining()) {
      job.again(now);
    }
    if (job.is(JobPhase.PLACED) && !job.mayStart()) {
      // Its claim says that it is given up: the gang's slots are for others.
      gangs.takeFrom(job);
    }
  }

  void tellAll(BundleEvent event, Moment now) {
    copy().forEach(job -> tell(job, event, now));
  }

  /** Starts the job if its claim permits it. */
  boolean take(Job job, Moment now) {
    List<BundleEffect> effects = new ArrayList<>();
    Positions taken = job.machine().take(1, 1, now, effects);
    emit(job, effects, now);
    return !taken.isEmpty();
  }

  /** Requests its claim, unless it was requested already. */
  void claim(Job job, Moment now) {
    if (job.unclaimed()) {
      tell(job, new BundleEvent.Begin(0), now);
    }
  }

  /** Places the job on a gang: it no longer waits, and its claim is requested. */
  void place(Job job, Moment now) {
    job.move(Trigger.PLACE);
    ledger.awaitNoMore(job);
    claim(job, now);
  }

  /** Takes the job from its gang: it gives its claim back and waits at the same manager. */
  void unplace(Job job, Moment now) {
    if (!job.is(JobPhase.PLACED)) {
      return;
    }
    if (job.unclaimed()) {
      job.refused(now);
    } else {
      job.move(Trigger.UNPLACE);
      tell(job, new BundleEvent.Drain(), now);
    }
  }

  /** Drains: jobs that have not started are given back. */
  void drain(Moment now) {
    for (Job job : copy()) {
      if (job.is(JobPhase.PLACED)) {
        gangs.takeFrom(job);
      }
      tell(job, new BundleEvent.Drain(), now);
    }
  }

  private void emit(Job job, List<BundleEffect> effects, Moment now) {
    boolean returns = job.is(JobPhase.RETURNING) && !exit.draining();
    for (BundleEffect effect : effects) {
      switch (effect) {
        case BundleEffect.PutBack back when returns -> {}
        case BundleEffect.Close close
            when returns && close.reason() == BundleEffect.Reason.GIVEN_BACK -> {
          long before = job.key();
          String nonce = names.get();
          job.rearm(nextKey--, nonce, now);
          out.accept(new GangEffect.Rearm(before, job.key(), nonce));
        }
        case BundleEffect.Close close -> {
          pass(job, close);
          close(job);
        }
        case BundleEffect.Kill kill -> {
          pass(job, kill);
          gangs.takeFrom(job);
        }
        case BundleEffect.CallClaims e -> pass(job, e);
        case BundleEffect.NoteSick e -> pass(job, e);
        case BundleEffect.SendResults e -> pass(job, e);
        case BundleEffect.SendLost e -> pass(job, e);
        case BundleEffect.SendFailed e -> pass(job, e);
        case BundleEffect.SendDead e -> pass(job, e);
        case BundleEffect.SendChild e -> pass(job, e);
        case BundleEffect.ExtendVisibility e -> pass(job, e);
        case BundleEffect.PutBack e -> pass(job, e);
        case BundleEffect.DeleteMessage e -> pass(job, e);
      }
    }
  }

  private void pass(Job job, BundleEffect effect) {
    out.accept(new GangEffect.OfBundle(job.key(), effect));
  }

  private void close(Job job) {
    gangs.forget(job);
    job.move(Trigger.CLOSE);
    jobs.remove(job);
    ledger.awaitNoMore(job);
    ledger.unreserve(job.id());
  }

  @Override
  public String toString() {
    return jobs.toString();
  }
}
