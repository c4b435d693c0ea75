package io.cloudkon.simulator.client;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.bundler.FairShare;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.world.World;
import java.util.List;
import java.util.Optional;

/**
 * A client: the production state machines of bundling and completeness, and a driver that carries
 * out their effects. It may die at any moment; another client with the same journal then resumes
 * the run.
 */
public final class SimClient {
  private static final long WATCH = 1_000_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final ClientSetup setup;
  private final SimJournal journal;
  private final CompletenessMachine completeness;
  private final Optional<FairShare> share;
  private final SimHeldRun held;
  private final LeaseWait lease;
  private final SimReplyQueue replyQueue;
  private final SimTakeover takeover;
  private final SimSender sender;
  private final SimCollector collector;
  private final SimFollower follower;
  private final SimRunEnd end;
  private boolean opened;
  private long beganAt;

  /** A client that has not started. */
  public SimClient(
      World world,
      SimProcess process,
      SimRun run,
      ClientSetup setup,
      SimJournal journal,
      Measures measures) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.setup = setup;
    this.journal = journal;
    completeness =
        new CompletenessMachine(
            run.id(),
            SimRun.EPOCH,
            run.consistency().claims(),
            setup.claim(),
            setup.completeness());
    BundlerMachine bundler = new BundlerMachine(setup.bundler());
    share = setup.share(run);
    share.ifPresent(fair -> bundler.keepSmall());
    if (!setup.claim().handsOn(run.consistency())) {
      bundler.keepSingle();
    }
    held =
        new SimHeldRun(
            world,
            process,
            run,
            setup.lease(),
            new SimRemainingWork(world, run, journal),
            "Q-response-" + process.name(),
            this::lost);
    lease = new LeaseWait(process, held::valid);
    replyQueue = new SimReplyQueue(world, process, held, journal, lease, this::ending, this::moved);
    takeover =
        new SimTakeover(
            world,
            process,
            run,
            setup.lease(),
            held,
            new SimTakeover.Found(this::start, this::goOn, this::found));
    sender =
        new SimSender(
            world,
            process,
            run,
            setup,
            journal,
            completeness,
            bundler,
            share,
            measures,
            held::queue,
            held::valid,
            () -> follow(completeness.allSent(process.now())));
    completeness.waitFor(held::quiet);
    SimResultIntake intake =
        new SimResultIntake(
            world, process, run, held, journal, completeness, bundler, share, measures);
    collector =
        new SimCollector(world, process, run, held, completeness, intake, this::follow, replyQueue);
    SimSettlement settlement = new SimSettlement(world, run, journal, measures);
    follower =
        new SimFollower(
            world,
            process,
            run,
            journal,
            completeness,
            sender,
            intake,
            settlement,
            lease,
            this::ending,
            this::complete);
    end =
        new SimRunEnd(
            world,
            process,
            run,
            held,
            lease,
            sender,
            collector,
            new SimLastResults(world, process, run, held, journal, intake),
            settlement,
            new Clearing(world, process, run, journal),
            this::openJournal);
  }

  public SimProcess process() {
    return process;
  }

  /**
   * Whether it has nothing left to do: the run is over, another client has it, or this client is
   * dead.
   */
  public boolean over() {
    return end.over() || process.dead();
  }

  /**
   * The time from its first send to its last result, in microseconds; valid once it is complete.
   */
  public long tookMicros() {
    return end.completeAt() - beganAt;
  }

  /** Begins a new run. */
  public void start() {
    process.in(0, () -> held.publish(() -> replyQueue.make(this::made), takeover::begin));
  }

  private void made() {
    openJournal();
    process.in(0, this::begin);
  }

  /** Resumes a run whose client is dead or appears to be. */
  public void resume() {
    process.in(0, takeover::begin);
  }

  /** Continues with the run, which now belongs to this client. */
  private void goOn() {
    lease.until(end::over, this::goOnNow);
  }

  private void goOnNow() {
    openJournal();
    if (!held.queue().equals(journal.firstQueue())) {
      journal.noteObjects();
      completeness.lookAtAll(process.now());
    }
    begin();
  }

  /**
   * Opens the journal, before anything is created, received or settled. The client must be certain
   * to hold the run.
   */
  private void openJournal() {
    if (opened) {
      return;
    }
    opened = true;
    journal.open();
    SimRestoration.restore(journal, completeness, world.timeline().now(), process.now());
    sender.sendAgain();
    held.alsoRead(journal.queues());
    if (journal.firstQueue().isEmpty()) {
      journal.begun(held.queue());
    }
  }

  private void begin() {
    if (held.cancelled()) {
      end.settle();
      return;
    }
    beganAt = world.timeline().now();
    share.ifPresentOrElse(
        of -> new SimFleetWatch(world, process, of, this::over).begin(this::work), this::work);
  }

  private void work() {
    sender.pump();
    for (int i = 0; i < setup.threads(); i++) {
      collector.receive();
    }
    collector.readFormer();
    process.in(WATCH, this::watch);
  }

  private void watch() {
    if (!end.begun()) {
      if (held.valid()) {
        follow(completeness.follow(process.now()));
        follow(completeness.lookForSilence(process.now()));
      }
      process.in(WATCH, this::watch);
    }
  }

  // ---- effects of the completeness machine

  private void follow(List<CompletenessEffect> effects) {
    follower.follow(effects);
  }

  /** Handles that results go to another queue from now on. */
  private void moved() {
    journal.noteObjects();
    collector.readFormer();
    completeness.lookAtAll(process.now());
  }

  private boolean ending() {
    return end.begun();
  }

  private void found(RunEntry ended) {
    end.found(ended);
  }

  private void lost(SimHeldRun.Over why) {
    end.lost(why);
  }

  private void complete() {
    end.complete();
  }

  @Override
  public String toString() {
    return "%s of %s: %s with %d of %d results and %d provisionally LOST"
        .formatted(
            process.name(),
            run,
            completeness.phase(),
            completeness.finished(),
            run.tasks().size(),
            completeness.provisionallyLost());
  }
}
