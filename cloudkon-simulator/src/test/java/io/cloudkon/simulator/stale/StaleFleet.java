package io.cloudkon.simulator.stale;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.fleet.WorkerSetup;
import java.util.List;
import java.util.function.Consumer;

/**
 * 64 workers of one slot that learn from a first run, in bundles of 500, how long a program takes;
 * in the second run it takes longer.
 *
 * @param mode of both runs
 * @param learnedMicros what a task takes in the first run; at most 20 ms
 * @param tickMillis how often workers look at the time
 */
record StaleFleet(Consistency mode, long learnedMicros, long tickMillis) {
  static final int WORKERS = 64;
  static final int BUNDLE = 500;
  static final long MILLI = 1_000;
  static final long SECOND = 1_000_000;

  /** By then the first run is over, and everybody idle. */
  static final long SECOND_RUN = 60 * SECOND;

  /** Both runs, to their end. */
  Outcome run(LearnedTasks then) {
    return run(then, simulation -> {});
  }

  /** Likewise, while more happens. */
  Outcome run(LearnedTasks then, Consumer<Simulation> script) {
    WorkerSetup worker =
        new WorkerSetup(
            1,
            LeaseSettings.DEFAULT,
            IntakeSettings.DEFAULT,
            tickMillis * MILLI,
            5,
            60_000,
            null,
            null);
    BundlerSettings fixed =
        new BundlerSettings(BUNDLE, 250, BundlerSettings.DEFAULT.maxBytes(), true);
    LearnedTasks first = new LearnedTasks(WORKERS * BUNDLE, learnedMicros);
    Setup setup =
        Setup.of(1, WORKERS, worker, List.of(first, then), CloudSettings.calm(Latencies.TODAY))
            .with(mode)
            .with(ClientSetup.DEFAULT.with(fixed));
    return Simulation.run(
        setup,
        simulation -> {
          simulation.startAfter(1, SECOND_RUN);
          script.accept(simulation);
        });
  }

  /** From the begin of the second run until its last result. */
  long secondRunMicros(Outcome outcome) {
    return outcome.measures().makespanMicros() - SECOND_RUN;
  }
}
