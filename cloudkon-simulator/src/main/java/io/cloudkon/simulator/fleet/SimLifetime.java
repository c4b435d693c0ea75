package io.cloudkon.simulator.fleet;

import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.idle.IdleEffect;
import io.cloudkon.core.protocol.idle.IdleEvent;
import io.cloudkon.core.protocol.idle.IdleMachine;
import io.cloudkon.simulator.cloud.SimHpc;
import io.cloudkon.simulator.cloud.SimScaling;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.SplittableRandom;

/**
 * The lifetime of a worker that ends itself: the production state machine, and a driver that
 * carries out its effects.
 */
final class SimLifetime {
  private static final long TICK = 250_000;
  private static final long MARGIN_MILLIS = LeaseSettings.DEFAULT.margin();

  private final World world;
  private final SimScaling cloud;
  private final SimProcess process;
  private final boolean jobs;
  private final Load load;
  private final IdleMachine machine;
  private final Runnable drain;
  private long lookFrom = -1;
  private boolean requestsEmpty;
  private boolean jobsEmpty;
  private boolean worked;
  private boolean over;

  /** The worker's work. */
  interface Load {
    /** Whether it works, or keeps slots for work. */
    boolean works();

    /** Whether it holds messages, which may turn out to be work. */
    boolean holds();
  }

  /**
   * Starts now.
   *
   * @param jobs whether the worker takes part in HPC jobs
   * @param drain lets the worker end
   */
  SimLifetime(
      World world,
      SimScaling cloud,
      SimProcess process,
      SplittableRandom random,
      WorkerSetup.Lifetime times,
      boolean jobs,
      Load load,
      Runnable drain) {
    this.world = world;
    this.cloud = cloud;
    this.process = process;
    this.jobs = jobs;
    this.load = load;
    this.drain = drain;
    this.machine = new IdleMachine(times.settings(process.name(), jobs), process.now());
    process.in(random.nextLong(TICK), this::tick);
  }

  /** Records that the worker holds or held work. */
  void worked() {
    worked = true;
  }

  /** Records that the worker leaves, for whatever reason. */
  void leaves() {
    tell(new IdleEvent.Leave());
  }

  /** Records that the worker has left. */
  void over() {
    over = true;
  }

  /** The maximum wait of a receive that begins now, in microseconds. */
  long pollMicros() {
    return machine.pollMillis(process.now()) * 1000;
  }

  /** Handles the answer to a receive of tasks; a failed receive tells nothing. */
  void requestsReceived(long begunMicros, boolean empty) {
    requestsEmpty |= empty && inLastLook(begunMicros);
    looked();
  }

  /** Handles the answer to a receive of HPC jobs. */
  void jobsReceived(long begunMicros, boolean empty) {
    jobsEmpty |= empty && inLastLook(begunMicros);
    looked();
  }

  private boolean inLastLook(long begunMicros) {
    return lookFrom >= 0 && begunMicros >= lookFrom;
  }

  private void looked() {
    if (lookFrom >= 0 && !load.holds() && requestsEmpty && (jobsEmpty || !jobs)) {
      lookFrom = -1;
      tell(new IdleEvent.QueuesEmpty());
    }
  }

  private void tick() {
    boolean did = worked || load.works();
    worked = false;
    tell(new IdleEvent.Tick(did, load.holds()));
    if (!over) {
      process.in(TICK, this::tick);
    }
  }

  private void tell(IdleEvent event) {
    if (over || process.dead()) {
      return;
    }
    for (IdleEffect effect : machine.on(world.twist().told(event), process.now())) {
      carryOut(effect);
    }
  }

  private void carryOut(IdleEffect effect) {
    switch (effect) {
      case IdleEffect.LookForJobs look -> lookForJobs();
      case IdleEffect.ReadMinimum read ->
          cloud
              .decisions()
              .provisioner(
                  process,
                  found -> {
                    if (found == null) {
                      tell(new IdleEvent.Unanswered("the minimum could not be read"));
                    } else {
                      tell(
                          found
                              .map(entry ->
                                  new IdleEvent.MinimumRead(
                                      entry.settings().min(), entry.updatedMillis()))
                              .orElseGet(() -> new IdleEvent.MinimumRead(0, 0)));
                    }
                  });
      case IdleEffect.Sit sit ->
          cloud
              .decisions()
              .sit(
                  process,
                  new IdleSeat(sit.seat(), process.name(), sit.leaseEnd()),
                  sit.expiredBefore(),
                  mine ->
                      tell(
                          mine == null
                              ? new IdleEvent.Unanswered("nobody knows who has the seat")
                              : new IdleEvent.SeatAnswered(sit.seat(), mine)));
      case IdleEffect.GiveBack back ->
          cloud.decisions().leave(process, back.seat(), process.name(), done -> {});
      case IdleEffect.LastLook look -> {
        lookFrom = world.timeline().now();
        requestsEmpty = false;
        jobsEmpty = false;
      }
      case IdleEffect.GoOn on -> lookFrom = -1;
      case IdleEffect.GiveUp up -> world.trace().say(process.name(), "gives up: %s", up.why());
      case IdleEffect.Drain end -> {
        world.trace().say(process.name(), "ends itself: %s", end.why());
        drain.run();
      }
    }
  }

  private void lookForJobs() {
    SimHpc hpc = world.cloud().hpcIfAny();
    if (hpc == null) {
      tell(new IdleEvent.JobsSeen(false, 1));
      return;
    }
    hpc.ledger()
        .view(
            process,
            view ->
                tell(
                    view == null
                        ? new IdleEvent.Unanswered("the ledger could not be read")
                        : new IdleEvent.JobsSeen(waits(view), view.shares().size())));
  }

  private boolean waits(LedgerView view) {
    long alive = process.now().service() - MARGIN_MILLIS;
    Reservation reservation = view.reservation();
    return (reservation != null && reservation.leaseEnd() >= alive)
        || view.waiting().stream().anyMatch(job -> job.leaseEnd() >= alive);
  }

  @Override
  public String toString() {
    return machine.phase().toString();
  }
}
