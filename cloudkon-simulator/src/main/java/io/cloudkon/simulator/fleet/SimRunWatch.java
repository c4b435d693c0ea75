package io.cloudkon.simulator.fleet;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A worker's knowledge of runs: one consistent read for each, at most every 5 s. */
final class SimRunWatch {
  private static final long FRESH = 5_000_000;

  private final World world;
  private final SimProcess process;
  private final Consumer<SimRun> over;
  private final Map<String, Known> known = new HashMap<>();
  private final Map<String, List<Runnable>> reading = new HashMap<>();

  private record Known(RunEntry entry, long at) {}

  /**
   * A watch that knows no run.
   *
   * @param over receives runs that are not open
   */
  SimRunWatch(World world, SimProcess process, Consumer<SimRun> over) {
    this.world = world;
    this.process = process;
    this.over = over;
  }

  /** Checks whether the run is open, with a read unless that is known. */
  void look(SimRun run) {
    Known last = known.get(run.id());
    if (last == null || world.timeline().now() - last.at() >= FRESH) {
      read(run);
    } else if (last.entry().state() != RunEntry.State.OPEN) {
      over.accept(run);
    }
  }

  /** Reads the run regardless of what is known. */
  void read(SimRun run) {
    read(run, () -> {});
  }

  /**
   * Reads the run regardless of what is known; after a failed read, the last known state is used.
   */
  void read(SimRun run, Runnable then) {
    List<Runnable> joined = reading.get(run.id());
    if (joined != null) {
      joined.add(then);
      return;
    }
    List<Runnable> all = new ArrayList<>(List.of(then));
    reading.put(run.id(), all);
    world
        .cloud()
        .runs()
        .read(
            process,
            run.id(),
            entry -> {
              reading.remove(run.id());
              if (entry != null) {
                known.put(run.id(), new Known(entry, world.timeline().now()));
                if (entry.state() != RunEntry.State.OPEN) {
                  over.accept(run);
                }
              }
              all.forEach(Runnable::run);
            });
  }

  /** Whether the run is open, as far as known. */
  boolean open(SimRun run) {
    Known last = known.get(run.id());
    return last == null || last.entry().state() == RunEntry.State.OPEN;
  }

  /** The queue for the bundle's results, as far as known. */
  String responseQueue(SimBundle hand) {
    Known last = known.get(hand.request.run().id());
    return last == null || last.entry().responseQueue().isEmpty()
        ? hand.request.bundle().header().responseQueue()
        : last.entry().responseQueue();
  }
}
