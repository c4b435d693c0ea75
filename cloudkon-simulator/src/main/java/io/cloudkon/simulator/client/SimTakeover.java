package io.cloudkon.simulator.client;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.function.Consumer;

/**
 * Takes over a run from a client that appears to be gone. A client that renews its lease is alive;
 * then the takeover is refused and tried again without end.
 */
final class SimTakeover {
  private static final long AGAIN = 300_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final LeaseSettings lease;
  private final SimHeldRun held;
  private final Found found;

  /**
   * The callbacks for the possible findings.
   *
   * @param nothing called if nobody has begun the run
   * @param taken called when the run belongs to this client
   * @param over called if the run has ended; a cancelled run is settled once more
   */
  record Found(Runnable nothing, Runnable taken, Consumer<RunEntry> over) {}

  SimTakeover(
      World world,
      SimProcess process,
      SimRun run,
      LeaseSettings lease,
      SimHeldRun held,
      Found found) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.lease = lease;
    this.held = held;
    this.found = found;
  }

  /** Watches the lease, and takes the run when the lease has expired. */
  void begin() {
    look(seen -> {
      long wait = seen.lease().left(process.now(), lease);
      process.in(wait * 1000, () -> takeOver(seen));
    });
  }

  private void takeOver(RunEntry first) {
    look(now -> {
      if (now.lease().renewedSince(first.lease()) && !now.lease().letGo()) {
        begin();
      } else {
        held.take(now, found.taken(), this::begin);
      }
    });
  }

  /** Reads the run's entry, and continues with it if the run is not over. */
  private void look(Consumer<RunEntry> then) {
    world
        .cloud()
        .runs()
        .read(
            process,
            run.id(),
            entry -> {
              if (entry == null) {
                process.in(AGAIN, () -> look(then));
              } else if (entry.holder().isEmpty()) {
                found.nothing().run();
              } else if (entry.state() == RunEntry.State.ENDED) {
                found.over().accept(entry);
              } else {
                then.accept(entry);
              }
            });
  }
}
