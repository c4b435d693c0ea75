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

/** A worker's knowledge of runs: one consistent read for each, at most every 5 seconds. */
final class SimRunWatch {
  private static final long FRESH = 5_000_000;

  private final World world;
  private final SimProcess process;
  private final Consumer<SimRun> over;
  private final Map<String, Known> known = new HashMap<>();
  private final Map<String, List<Runnable>> reading = new HashMap<>();

  private record Known(RunEntry entry, long at) {}

  /**
   * Knows nothing.
   *
   * @param over is told of runs that are not open
   */
  SimRunWatch(World world, SimProcess process, Consumer<SimRun> over) {
    this.world = world;
    this.process = process;
    this.over = over;
  }

  /** Looks whether it is open, unless that is known. */
  void look(SimRun run) {
    Known last = known.get(run.id());
    if (last == null || world.timeline().now() - last.at() >= FRESH) {
      read(run);
    } else if (last.entry().state() != RunEntry.State.OPEN) {
      over.accept(run);
    }
  }

  /** Reads it, whatever is known. */
  void read(SimRun run) {
    read(run, () -> {});
  }

  /** Reads it, whatever is known; what cannot be read is taken to be as it was. */
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

  /** Whether it is open, for all that is known. */
  boolean open(SimRun run) {
    Known last = known.get(run.id());
    return last == null || last.entry().state() == RunEntry.State.OPEN;
  }

  /** Where its results go, for all that is known. */
  String responseQueue(SimBundle hand) {
    Known last = known.get(hand.request.run().id());
    return last == null || last.entry().responseQueue().isEmpty()
        ? hand.request.bundle().header().responseQueue()
        : last.entry().responseQueue();
  }
}
