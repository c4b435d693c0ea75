package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.ManagerMachine;
import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.gang.SubWorkerMachine;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.pipeline.MachineLoop;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state machines of the manager and of the sub-worker, and the one thread that owns them, the
 * loop. It takes events from the inbox and hands the effects to callers, whose outcomes come back
 * as events. What it publishes is thread safe.
 */
final class GangMachines implements MachineLoop.Machines<GangInbox.Happening>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GangMachines.class);

  private final TimeSource time;
  private final GangInbox inbox;
  private final GangHost host;
  private final ManagerMachine manager;
  private final ManagerEffects managed;
  private final SubWorkerMachine subWorker;
  private final SubWorkerEffects served;
  private final Pulse pulse;
  private final BooleanSupplier draining;
  private final Consumer<Moment> ticked;
  private final Runnable receivableChanged;
  private final Thread loop;
  private volatile GangLoad load = GangLoad.NONE;
  private volatile boolean drained;
  private volatile boolean closing;
  private volatile boolean failed;

  /**
   * Machines whose loop does not run yet.
   *
   * @param pulse records that the loop has checked every job's lease
   * @param draining whether no more work will come
   * @param ticked also called at every tick
   * @param receivableChanged called when the number of offers that can be received has changed
   */
  GangMachines(
      TimeSource time,
      GangInbox inbox,
      GangHost host,
      ManagerMachine manager,
      ManagerEffects managed,
      SubWorkerMachine subWorker,
      SubWorkerEffects served,
      Pulse pulse,
      BooleanSupplier draining,
      Consumer<Moment> ticked,
      Runnable receivableChanged) {
    this.time = time;
    this.inbox = inbox;
    this.host = host;
    this.manager = manager;
    this.managed = managed;
    this.subWorker = subWorker;
    this.served = served;
    this.pulse = pulse;
    this.draining = draining;
    this.ticked = ticked;
    this.receivableChanged = receivableChanged;
    this.loop = Thread.ofPlatform().name("cloudkon-gangs").unstarted(this::run);
  }

  /** Starts the loop. */
  void start() {
    loop.start();
  }

  /** The worker's work for HPC jobs after the last event. */
  GangLoad load() {
    return load;
  }

  /** Whether nothing is in hand and nothing more will come. */
  boolean drained() {
    return drained;
  }

  /** Whether the loop ended because of an internal error. */
  boolean failed() {
    return failed;
  }

  private void run() {
    try {
      MachineLoop.run(this, inbox::poll, time);
    } catch (InterruptedException e) {
      LOG.warn("the loop of the gangs was interrupted and ends immediately");
    } catch (RuntimeException | Error e) {
      failed = true;
      LOG.error("the loop of the gangs failed; other workers take over its jobs", e);
    } finally {
      drained = true;
      host.changed();
    }
  }

  @Override
  public boolean ended() {
    return closing || drained;
  }

  @Override
  public void tick() {
    Moment now = time.now();
    handle(new SubWorkerEvent.Tick(), now);
    handle(new GangEvent.Tick(), now);
    pulse.beat(now);
    ticked.accept(now);
    publish();
  }

  @Override
  public void on(GangInbox.Happening happening) {
    Moment now = time.now();
    switch (happening) {
      case GangInbox.Happening.Managed of -> handle(of.event(), now);
      case GangInbox.Happening.Served of -> handle(of.event(), now);
    }
    publish();
  }

  private void publish() {
    int receivable = load.receivable();
    load =
        new GangLoad(
            subWorker.slotsToOffer(),
            subWorker.offersThatMayWait(host.slotsSoon()),
            subWorker.ranks(),
            manager.jobsInHand(),
            manager.gangsManaged());
    host.backlog().is(load.jobs() - managed.settled());
    if (receivable != load.receivable()) {
      receivableChanged.run();
    }
    if (draining.getAsBoolean()
        && manager.drained()
        && subWorker.idle()
        && subWorker.slotsKept() == 0) {
      drained = true;
    }
  }

  private void handle(GangEvent event, Moment now) {
    for (GangEffect effect : manager.on(event, now)) {
      LOG.debug("{}", effect);
      managed.carryOut(effect, now);
    }
  }

  /** Handles an event of the sub-worker; called by the loop's thread only. */
  void handle(SubWorkerEvent event, Moment now) {
    for (SubWorkerEffect effect : subWorker.on(event, now)) {
      LOG.debug("{}", effect);
      served.carryOut(effect);
    }
  }

  /** Ends the loop, whatever is in hand, and waits for that. */
  @Override
  public void close() throws InterruptedException {
    closing = true;
    inbox.tell(new GangEvent.Tick());
    loop.join();
  }
}
