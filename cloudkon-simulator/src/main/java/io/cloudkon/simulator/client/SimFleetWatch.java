package io.cloudkon.simulator.client;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.bundler.FairShare;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Tells a client's share of a fair cluster how many slots the live workers report. */
final class SimFleetWatch {
  private static final long EVERY = 5_000_000;

  private final World world;
  private final SimProcess process;
  private final FairShare share;
  private final BooleanSupplier over;

  SimFleetWatch(World world, SimProcess process, FairShare share, BooleanSupplier over) {
    this.world = world;
    this.process = process;
    this.share = share;
    this.over = over;
  }

  /** Reads the workers once, lets the client begin, and continues to read. */
  void begin(Runnable then) {
    world
        .cloud()
        .entries()
        .list(
            process,
            found -> {
              tell(found);
              then.run();
              process.in(EVERY, this::again);
            });
  }

  private void again() {
    if (!over.getAsBoolean()) {
      begin(() -> {});
    }
  }

  private void tell(@Nullable List<WorkerEntry> found) {
    if (found != null) {
      long now = process.now().service();
      List<WorkerEntry> live = found.stream().filter(w -> w.livesAt(now)).toList();
      int slots = live.stream().mapToInt(WorkerEntry::slots).sum();
      int free = slots - live.stream().mapToInt(WorkerEntry::busy).sum();
      share.fleet(slots, free, slots, free);
    }
  }
}
