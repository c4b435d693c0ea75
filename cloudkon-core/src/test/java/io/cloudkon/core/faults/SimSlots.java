package io.cloudkon.core.faults;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.protocol.durations.Durations;
import io.cloudkon.core.protocol.worker.WorkerEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A worker's slots: each runs its tasks one after the other. */
final class SimSlots {
  private final World world;
  private final Lifeline life;
  private final Consumer<WorkerEvent> events;
  private final String worker;
  private final Map<Integer, Chunk> running = new LinkedHashMap<>();

  private static final class Chunk {
    final int slot;
    final Hand hand;
    final int attempt;
    final Deque<Integer> left;
    final List<WorkerEvent.Sample> samples = new ArrayList<>();
    Positions finished = Positions.none();
    Positions failed = Positions.none();
    int current = -1;
    boolean stop;
    boolean ended;

    Chunk(int slot, Hand hand, int attempt, Positions tasks) {
      this.slot = slot;
      this.hand = hand;
      this.attempt = attempt;
      this.left = new ArrayDeque<>(tasks.stream().boxed().toList());
    }
  }

  SimSlots(World world, Lifeline life, String worker, Consumer<WorkerEvent> events) {
    this.world = world;
    this.life = life;
    this.worker = worker;
    this.events = events;
  }

  boolean idle() {
    return running.isEmpty();
  }

  void run(WorkerEffect.Run run, Hand hand, int attempt) {
    Chunk chunk = new Chunk(run.slot(), hand, attempt, run.tasks());
    if (running.put(run.slot(), chunk) != null) {
      throw new Violation("slot %d of %s was taken", run.slot(), worker);
    }
    life.in(0, () -> next(chunk));
  }

  private void next(Chunk chunk) {
    if (chunk.ended) {
      return;
    }
    if (chunk.stop || chunk.left.isEmpty()) {
      end(chunk, Positions.none());
      return;
    }
    int position = chunk.left.remove();
    Task task = chunk.hand.bundle.tasks().get(position);
    chunk.current = position;
    life.effect(
        "start of task %d of %s".formatted(task.ordinal(), chunk.hand),
        () -> {
          if (chunk.ended) {
            // Killed while it was stopped here. To be stopped between this look and the start is
            // the protocol's known limit, and not simulated.
            return () -> {};
          }
          witnessStart(chunk, position);
          if (Scenario.poison(task)) {
            return () -> life.in(1, life::die);
          }
          return () -> life.in(Scenario.millis(task), () -> finish(chunk, position, task));
        });
  }

  private void witnessStart(Chunk chunk, int position) {
    world.witness.started(
        worker,
        chunk.hand.id(),
        position,
        chunk.hand.nonce,
        chunk.attempt,
        world.time.serviceMillis());
  }

  private void finish(Chunk chunk, int position, Task task) {
    if (chunk.ended) {
      return;
    }
    chunk.current = -1;
    if (chunk.hand.finished(position, world.time.wallMicros())) {
      chunk.failed = chunk.failed.plus(Positions.of(position));
    }
    chunk.finished = chunk.finished.plus(Positions.of(position));
    chunk.samples.add(
        new WorkerEvent.Sample(Durations.key(task.work()), 1, Scenario.millis(task) * 1000L));
    next(chunk);
  }

  /** Stops what runs of a bundle. */
  void kill(Hand hand) {
    List.copyOf(running.values()).stream().filter(chunk -> chunk.hand == hand).forEach(this::kill);
  }

  void killAll() {
    List.copyOf(running.values()).forEach(this::kill);
  }

  private void kill(Chunk chunk) {
    if (!chunk.ended) {
      end(chunk, chunk.current < 0 ? Positions.none() : Positions.of(chunk.current));
    }
  }

  /** Lets what runs finish, and starts nothing more. */
  void stop() {
    running.values().forEach(chunk -> chunk.stop = true);
  }

  private void end(Chunk chunk, Positions killed) {
    chunk.ended = true;
    Positions notStarted = Positions.of(chunk.left.stream().mapToInt(p -> p).toArray());
    life.in(
        world.random.nextInt(4),
        () -> {
          running.remove(chunk.slot);
          events.accept(
              new WorkerEvent.SlotFree(
                  chunk.slot,
                  chunk.hand.key,
                  chunk.finished,
                  100L * chunk.finished.size(),
                  notStarted,
                  killed,
                  chunk.samples,
                  chunk.failed));
        });
  }
}
