package io.cloudkon.simulator.client;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;

/**
 * The end of a run for one client: every task has its result, or the run was cancelled, has ended
 * before, or belongs to another client now.
 */
final class SimRunEnd {
  /** How long after a run's cancellation a worker may still store results. */
  private static final long NOTICE = 7_000_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final SimHeldRun held;
  private final LeaseWait lease;
  private final SimSender sender;
  private final SimCollector collector;
  private final SimLastResults last;
  private final SimSettlement settlement;
  private final Clearing clearing;
  private final Runnable openJournal;
  private boolean settling;
  private boolean over;
  private long completeAt;

  /**
   * The end of a run that has not ended.
   *
   * @param openJournal opens the journal, unless it is open
   */
  SimRunEnd(
      World world,
      SimProcess process,
      SimRun run,
      SimHeldRun held,
      LeaseWait lease,
      SimSender sender,
      SimCollector collector,
      SimLastResults last,
      SimSettlement settlement,
      Clearing clearing,
      Runnable openJournal) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.held = held;
    this.lease = lease;
    this.sender = sender;
    this.collector = collector;
    this.last = last;
    this.settlement = settlement;
    this.clearing = clearing;
    this.openJournal = openJournal;
  }

  /** Whether the client has nothing left to do. */
  boolean over() {
    return over;
  }

  /** Whether it is over or a cancelled run is being settled. */
  boolean begun() {
    return over || settling;
  }

  /** The time at which every task had its result. */
  long completeAt() {
    return completeAt;
  }

  /** Ends the run because every task has its result. */
  void complete() {
    completeAt = world.timeline().now();
    world.trace().say(process.name(), "is complete");
    sender.stop();
    collector.stop();
    world.witness().ending(run);
    // A client that finds the run ended knows only its last queue.
    String last = held.lastQueue();
    held.names().stream().filter(name -> !name.equals(last)).forEach(clearing::queue);
    held.end(() -> {
      clearing.queues(held.names());
      clearing.knownObjects(this::ended);
    });
  }

  /** Removes what is left of a run that was found ended. */
  void found(RunEntry entry) {
    world.trace().say(process.name(), "finds its run %s", entry.state());
    clearing.queue(entry.responseQueue());
    clearing.objects(this::ended);
  }

  /** Gives up the run, which this client no longer holds. */
  void lost(SimHeldRun.Over why) {
    if (over) {
      return;
    }
    world.trace().say(process.name(), "gives up its run: %s", why);
    sender.stop();
    switch (why) {
      case CANCELLED -> settle();
      case TAKEN_OVER -> {
        collector.stop();
        over = true;
      }
    }
  }

  /** Settles a cancelled run: results that still arrive count, and the rest is CANCELLED. */
  void settle() {
    if (!settling) {
      settling = true;
      takeWhatWaits();
    }
  }

  /**
   * Takes the waiting results first. A cancellation may be noticed before anything else happens.
   */
  private void takeWhatWaits() {
    lease.until(
        this::over,
        () -> {
          openJournal.run();
          collector.stop();
          last.take(this::settled);
        });
  }

  private void settled() {
    lease.until(this::over, this::settleNow);
  }

  private void settleNow() {
    last.settling();
    settlement.settle();
    clearing.queues(held.names());
    // A worker that has not noticed the cancellation yet may still store results.
    clearing.knownObjects(
        () -> process.in(NOTICE, () -> clearing.knownObjects(() -> held.end(this::ended))));
  }

  private void ended() {
    over = true;
  }
}
