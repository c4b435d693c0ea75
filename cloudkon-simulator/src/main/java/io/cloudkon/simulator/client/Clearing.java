package io.cloudkon.simulator.client;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.Collection;
import java.util.stream.IntStream;

/** Removes what a run leaves behind. */
final class Clearing {
  private static final long AGAIN = 300_000;

  /** The size of a result from which a run is expected to have objects, in bytes. */
  private static final int LARGE_BYTES = 300 * 1024;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final SimJournal journal;

  Clearing(World world, SimProcess process, SimRun run, SimJournal journal) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.journal = journal;
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

  /**
   * Likewise, if it may have any: if its tasks have large results, or the client has heard of
   * objects. Others expire.
   */
  void knownObjects(Runnable removed) {
    boolean large =
        IntStream.range(0, run.tasks().size())
            .anyMatch(ordinal -> run.tasks().resultBytes(ordinal) >= LARGE_BYTES);
    if (large || journal.hasObjects()) {
      objects(removed);
    } else {
      world.cloud().blobs().leave(BlobKeys.run(run.id()));
      removed.run();
    }
  }
}
