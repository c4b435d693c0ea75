package io.cloudkon.simulator.fleet;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.durations.DurationSum;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import io.cloudkon.core.protocol.worker.WorkerEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.world.World;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The slots of a worker, each of which runs its tasks one after the other. */
final class SimSlots {
  /** How long a worker may stand still before its guard kills its commands, in milliseconds. */
  private static final long GUARD = 7_500;

  private final World world;
  private final SimProcess process;
  private final long overheadMicros;
  private final Consumer<WorkerEvent> events;
  private final @Nullable SimChunk[] running;
  private long busyMicros;
  private long freeSince;
  private long tasksDone;

  /** Whether no task can be started; that goes unnoticed until one is tried. */
  private boolean sick;

  private boolean noticed;

  SimSlots(
      World world,
      SimProcess process,
      int slots,
      long overheadMicros,
      Consumer<WorkerEvent> events) {
    this.world = world;
    this.process = process;
    this.overheadMicros = overheadMicros;
    this.events = events;
    this.running = new SimChunk[slots];
    this.freeSince = world.timeline().now();
  }

  boolean idle() {
    for (SimChunk chunk : running) {
      if (chunk != null) {
        return false;
      }
    }
    return true;
  }

  /** The total run time of tasks that have ended, in microseconds. */
  long busyMicros() {
    return busyMicros;
  }

  /** The number of tries that have ended. */
  long tasksDone() {
    return tasksDone;
  }

  void run(WorkerEffect.Run run, SimBundle hand, int attempt) {
    if (running[run.slot()] != null) {
      throw new Violation("slot %d of %s was taken", run.slot(), process.name());
    }
    SimChunk chunk = new SimChunk(run.slot(), hand, attempt, run.tasks());
    running[run.slot()] = chunk;
    process.in(overheadMicros, () -> next(chunk));
  }

  private void next(SimChunk chunk) {
    if (chunk.ended) {
      return;
    }
    if (chunk.stop || chunk.next == chunk.positions.length) {
      end(chunk, Positions.none());
      return;
    }
    if (sick) {
      couldNotStart(chunk, chunk.positions[chunk.next]);
      return;
    }
    int position = chunk.positions[chunk.next++];
    chunk.current = position;
    process.effect(
        () -> "starts task %d of %s".formatted(chunk.hand.task(position).ordinal(), chunk.hand),
        () -> start(chunk, position));
  }

  /** Reports that a task could not start; it left no trace. */
  private void couldNotStart(SimChunk chunk, int position) {
    events.accept(
        new WorkerEvent.OfBundle(
            chunk.hand.key, new BundleEvent.Sick(Positions.of(position), "its disk is full")));
    if (!noticed) {
      noticed = true;
      events.accept(new WorkerEvent.FellSick());
    }
    end(chunk, Positions.none());
  }

  /** Makes task starts fail for this time, unless they fail already. */
  void sicken(long micros) {
    if (!sick) {
      sick = true;
      process.in(micros, this::recover);
    }
  }

  private void recover() {
    sick = false;
    if (noticed) {
      noticed = false;
      events.accept(new WorkerEvent.Recovered());
    }
  }

  private void start(SimChunk chunk, int position) {
    if (chunk.ended) {
      // Killed while it was stopped here. A stop between this check and the start is a known limit
      // of the protocol and is not simulated.
      return;
    }
    SimBundle hand = chunk.hand;
    int ordinal = hand.task(position).ordinal();
    world
        .witness()
        .started(
            process.name(),
            hand.request,
            position,
            hand.nonce,
            chunk.attempt,
            world.serviceMillis());
    world.witness().tasks().starts(process, hand.request, position, chunk.attempt);
    runs(hand, ordinal);
    Tasks tasks = hand.request.run().tasks();
    if (tasks.poison(ordinal)) {
      process.in(1_000, process::die);
      return;
    }
    long from = world.timeline().now();
    long frozen = tasks.freezeMillis(ordinal);
    if (frozen >= GUARD) {
      process.in(0, this::killedByGuard);
    }
    process.in(tasks.micros(ordinal), () -> finish(chunk, position, from));
    if (frozen > 0) {
      process.pause(frozen, false);
    }
  }

  private void runs(SimBundle hand, int ordinal) {
    world
        .witness()
        .closedRuns()
        .runs(process, hand.request.run(), ordinal, hand.received, world.timeline().now());
  }

  /** All running tasks were killed, because the worker stood still for too long. */
  private void killedByGuard() {
    for (SimChunk chunk : running) {
      if (chunk != null && !chunk.ended && chunk.current >= 0) {
        events.accept(
            new WorkerEvent.OfBundle(
                chunk.hand.key, new BundleEvent.KilledByGuard(Positions.of(chunk.current))));
        kill(chunk);
      }
    }
  }

  private void finish(SimChunk chunk, int position, long from) {
    if (chunk.ended) {
      return;
    }
    chunk.current = -1;
    SimBundle hand = chunk.hand;
    world.witness().tasks().ends(process, hand.request, position);
    Task task = hand.task(position);
    runs(hand, task.ordinal());
    long now = world.timeline().now();
    boolean failsHere = hand.request.run().tasks().failsOn(process.name());
    if (hand.finished(position, failsHere, from, now)) {
      world.witness().causes().failed(hand.request.run(), task.ordinal());
      chunk.failed.set(position);
    }
    chunk.finished.set(position);
    chunk.bytes += hand.request.run().tasks().resultBytes(task.ordinal());
    busyMicros += now - from;
    tasksDone++;
    chunk
        .took
        .computeIfAbsent(LearnedDurations.key(task.work()), k -> new DurationSum())
        .add(now - from);
    if (chunk.next == chunk.positions.length) {
      chunk.ended = true;
      free(chunk, Positions.none(), Positions.none());
    } else {
      process.in(overheadMicros, () -> next(chunk));
    }
  }

  /** Stops the running tasks of a bundle. */
  void kill(SimBundle hand) {
    for (SimChunk chunk : running) {
      if (chunk != null && chunk.hand == hand) {
        kill(chunk);
      }
    }
  }

  void killAll() {
    for (SimChunk chunk : running) {
      if (chunk != null) {
        kill(chunk);
      }
    }
  }

  private void kill(SimChunk chunk) {
    if (chunk.ended) {
      return;
    }
    if (chunk.current < 0) {
      end(chunk, Positions.none());
    } else {
      world.witness().tasks().ends(process, chunk.hand.request, chunk.current);
      runs(chunk.hand, chunk.hand.task(chunk.current).ordinal());
      end(chunk, Positions.of(chunk.current));
    }
  }

  /** Lets running tasks finish and starts no more. */
  void stop() {
    for (SimChunk chunk : running) {
      if (chunk != null) {
        chunk.stop = true;
      }
    }
  }

  /** Reports what has finished in a slot, and gives back the tasks that it has not started. */
  void cut(int slot) {
    SimChunk chunk = running[slot];
    if (chunk == null || chunk.ended) {
      return;
    }
    WorkerEvent.SlotFree soFar = told(chunk, chunk.notStarted(), Positions.none());
    chunk.positions = Arrays.copyOf(chunk.positions, chunk.next);
    chunk.finished = new BitSet();
    chunk.failed = new BitSet();
    chunk.bytes = 0;
    chunk.took.clear();
    process.in(0, () -> events.accept(new WorkerEvent.ChunkCut(soFar)));
  }

  private void end(SimChunk chunk, Positions killed) {
    chunk.ended = true;
    Positions notStarted = chunk.notStarted();
    process.in(0, () -> free(chunk, notStarted, killed));
  }

  /** Since when at least one slot has run nothing, in microseconds. */
  long freeSince() {
    return freeSince;
  }

  private void free(SimChunk chunk, Positions notStarted, Positions killed) {
    if (Arrays.stream(running).noneMatch(Objects::isNull)) {
      freeSince = world.timeline().now();
    }
    running[chunk.slot] = null;
    events.accept(told(chunk, notStarted, killed));
  }

  private static WorkerEvent.SlotFree told(SimChunk chunk, Positions notStarted, Positions killed) {
    return new WorkerEvent.SlotFree(
        chunk.slot,
        chunk.hand.key,
        Positions.of(chunk.finished),
        chunk.bytes,
        notStarted,
        killed,
        chunk.samples(),
        Positions.of(chunk.failed));
  }
}
