package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.simulator.cloud.SimEntries;
import io.cloudkon.simulator.cloud.SimScaling;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A worker: the production state machine, and a driver that carries out its effects. */
public final class SimWorker {
  private static final long DRAIN_MILLIS = 90_000;

  private final World world;
  private final SimProcess process;
  private final WorkerSetup setup;
  private final SimWorkerLoop loop;
  private final SimSlots slots;
  private final @Nullable SimGangService gangs;
  private final @Nullable SimLifetime lifetime;
  private final @Nullable SimMonitor monitor;
  private final long bornAt;

  /** A worker that starts now. */
  public SimWorker(World world, SimProcess process, WorkerSetup setup) {
    this.world = world;
    this.process = process;
    this.setup = setup;
    this.bornAt = world.timeline().now();
    SplittableRandom random = world.random().split();
    loop = new SimWorkerLoop(world, process, setup, new BackOff(50, 2_000, random));
    slots = loop.slots();
    WorkerSetup.GangTimes times = setup.gangs();
    gangs =
        times == null
            ? null
            : new SimGangService(
                world,
                process,
                setup,
                times,
                loop.runs(),
                loop::freeSlots,
                loop::slotsSoon,
                loop::tell);
    if (gangs != null) {
      loop.serves(gangs);
    }
    WorkerSetup.Lifetime life = setup.lifetime();
    SimScaling scaling = world.cloud().scalingIfAny();
    if (life == null || scaling == null) {
      lifetime = null;
    } else {
      lifetime =
          new SimLifetime(
              world,
              scaling,
              process,
              random.split(),
              life,
              gangs != null,
              loop,
              () -> drain(DRAIN_MILLIS));
      loop.endsBy(lifetime);
      if (gangs != null) {
        gangs.endsBy(lifetime);
      }
    }
    world.cloud().fleet().there(process, setup.slots(), bornAt);
    SimEntries entries = world.cloud().entriesIfAny();
    monitor =
        entries == null
            ? null
            : new SimMonitor(
                entries,
                process,
                life == null ? WorkerOrigin.BY_HAND : life.origin(),
                setup.slots(),
                this::busySlots,
                slots::tasksDone,
                this::role);
    if (monitor != null) {
      loop.monitoredBy(monitor);
    }
    SimHealth health = new SimHealth(world, process, loop::tell, () -> drain(DRAIN_MILLIS));
    world.cloud().refusals().watchedBy(process, health::refused);
    process.onResume(this::goesOn);
    process.in(random.nextLong(setup.tickMicros()), () -> loop.tell(new WorkerEvent.Tick()));
  }

  public SimProcess process() {
    return process;
  }

  private void goesOn() {
    if (gangs != null) {
      gangs.goesOn();
    }
    loop.tell(new WorkerEvent.Tick());
  }

  /** Whether it is dead, has left, or holds nothing. */
  public boolean idle() {
    boolean noGangs = gangs == null || gangs.idle();
    return left() || (loop.idle() && noGangs);
  }

  /** Removes its crash point. */
  public void livesOn() {
    process.livesOn();
  }

  /** Whether it is neither dead nor stopped now. */
  public boolean unharmed() {
    return !process.dead() && !process.paused();
  }

  /**
   * Since when it has had a free slot and could have taken work, in microseconds; the present if it
   * has none, or if something happened to it a short time ago.
   *
   * @param beforeMicros how long ago
   */
  public long freeSince(long beforeMicros) {
    long now = world.timeline().now();
    boolean fit = unharmed() && !loop.gone() && !loop.draining() && loop.freeSlots() > 0;
    return fit && !process.disturbedSince(now - beforeMicros) ? slots.freeSince() : now;
  }

  /** Whether it is dead or has left. */
  public boolean left() {
    return process.dead() || loop.gone();
  }

  /** The total run time of tasks that ended here, in microseconds. */
  public long busyMicros() {
    return slots.busyMicros();
  }

  public int slots() {
    return setup.slots();
  }

  /** The time at which it started, in microseconds. */
  public long bornAt() {
    return bornAt;
  }

  private String role() {
    return loop.draining() ? "draining" : gangs == null ? "worker" : gangs.role();
  }

  private int busySlots() {
    return Math.min(setup.slots(), loop.busySlots() + (gangs == null ? 0 : gangs.busy()));
  }

  /** SIGTERM: running tasks may finish within the timeout. */
  public void drain(long timeoutMillis) {
    process.in(
        0,
        () -> {
          world.trace().say(process.name(), "drains");
          process.leaves(world.timeline().now() + timeoutMillis * 1000);
          loop.drain();
          if (gangs != null) {
            gangs.drain();
            process.in(timeoutMillis * 1000, gangs::kill);
          }
          process.in(world.twist().drainKillsAtOnce() ? 0 : timeoutMillis * 1000, slots::killAll);
        });
  }

  /** Makes task starts fail for this many microseconds. */
  public void sicken(long micros) {
    process.disturbed(world.timeline().now() + micros);
    process.in(0, () -> slots.sicken(micros));
  }

  /** Sets whether results are undeliverable from now on. */
  public void resultsGoNowhere(boolean from) {
    process.disturbed(world.timeline().now());
    loop.tasks().resultsGoNowhere(from);
    if (gangs != null) {
      gangs.resultsGoNowhere(from);
    }
  }

  @Override
  public String toString() {
    return "%s%s hands %s%s"
        .formatted(
            process.name(),
            process.dead() ? " (dead)" : loop.gone() ? " (gone)" : "",
            loop.tasks(),
            gangs == null || process.dead() ? "" : ", " + gangs);
  }
}
