package io.cloudkon.faults;

import static org.awaitility.Awaitility.await;

import io.cloudkon.faults.WorkerProcess.Recipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** So many workers at a time: for each that dies another one is started. */
final class Fleet implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(20);

  private final Recipe recipe;
  private final int size;
  private final Random random = new Random(1);
  private final List<WorkerProcess> workers = new ArrayList<>();
  private final List<WorkerProcess> frozen = new ArrayList<>();

  Fleet(Recipe recipe, int size) {
    this.recipe = recipe;
    this.size = size;
    fill();
  }

  /** Starts another one for each that died. */
  void fill() {
    workers.removeIf(worker -> !worker.alive());
    while (workers.size() < size) {
      workers.add(recipe.start());
    }
  }

  private List<WorkerProcess> ready() {
    return workers.stream().filter(WorkerProcess::ready).toList();
  }

  /** Waits for this, and until two workers work, so that one is left when one is killed. */
  void awaitWith(Duration limit, BooleanSupplier condition) {
    awaitWith(2, limit, condition);
  }

  /** Waits for this, and until so many work. */
  void awaitWith(int working, Duration limit, BooleanSupplier condition) {
    await()
        .atMost(limit)
        .pollInterval(POLL)
        .until(() -> condition.getAsBoolean() && ready().size() >= working);
  }

  /** Kills one that works, whichever; gives its id when it is gone and another one was started. */
  String killOne() {
    List<WorkerProcess> ready = ready();
    WorkerProcess victim = ready.get(random.nextInt(ready.size()));
    String id = victim.id();
    victim.kill();
    fill();
    return id;
  }

  /** Stops one that works, whichever, with SIGSTOP; another one is started in its place. */
  void freezeOne() {
    List<WorkerProcess> ready = ready();
    WorkerProcess victim = ready.get(random.nextInt(ready.size()));
    victim.signal("STOP");
    workers.remove(victim);
    frozen.add(victim);
    fill();
  }

  /** The one that was stopped first goes on, and is one of the fleet again, if there is one. */
  void thawOne() {
    if (!frozen.isEmpty()) {
      WorkerProcess victim = frozen.removeFirst();
      victim.signal("CONT");
      workers.add(victim);
    }
  }

  /** Those that are to work now, when they are ready. */
  List<WorkerProcess> workers() {
    fill();
    return List.copyOf(workers);
  }

  @Override
  public void close() {
    frozen.forEach(WorkerProcess::close);
    workers.forEach(WorkerProcess::close);
  }
}
