package io.cloudkon.simulator.client;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.Collection;

/** Removes what a run leaves behind. */
final class Clearing {
  private static final long AGAIN = 300_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;

  Clearing(World world, SimProcess process, SimRun run) {
    this.world = world;
    this.process = process;
    this.run = run;
  }

  void queues(Collection<String> names) {
    names.forEach(this::queue);
  }

  void queue(String name) {
    process.effect(() -> "removes " + name, () -> world.cloud().removeResponses(name));
  }

  /** Removes the run's objects, as the last step; retries until that succeeds. */
  void objects(Runnable removed) {
    world
        .cloud()
        .blobs()
        .removeAll(
            process,
            BlobKeys.run(run.id()),
            done -> {
              if (done == null) {
                process.in(AGAIN, () -> objects(removed));
              } else {
                removed.run();
              }
            });
  }
}
