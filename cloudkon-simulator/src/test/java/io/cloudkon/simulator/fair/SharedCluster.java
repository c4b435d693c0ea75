package io.cloudkon.simulator.fair;

import io.cloudkon.core.model.Priority;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.SleepTasks;
import io.cloudkon.simulator.load.Tasks;
import java.util.ArrayList;
import java.util.List;

/** Clients that begin one after the other on one worker of four slots. */
final class SharedCluster {
  private static final int SLOTS = 4;
  private static final long APART = 3_000_000;

  private final List<Tasks> runs = new ArrayList<>();
  private final List<Priority> priorities = new ArrayList<>();
  private long seed = 1;
  private int disorder = 1;

  /** Another client comes, a moment after the one before. */
  SharedCluster client(int tasks, long millis, Priority priority) {
    runs.add(new SleepTasks(tasks, millis));
    priorities.add(priority);
    return this;
  }

  SharedCluster seed(long other) {
    seed = other;
    return this;
  }

  /** The queue delivers one of its so many oldest messages; at first the very oldest. */
  SharedCluster disorder(int among) {
    disorder = among;
    return this;
  }

  /** How long each client took in a fair cluster, in seconds. */
  double[] fair() {
    return run(ClientSetup.DEFAULT.fair(priorities.toArray(Priority[]::new)));
  }

  /** Likewise where everyone sends everything at once. */
  double[] unfair() {
    return run(ClientSetup.DEFAULT);
  }

  private double[] run(ClientSetup client) {
    Setup setup =
        Setup.of(
                seed,
                1,
                WorkerSetup.of(SLOTS),
                runs,
                CloudSettings.calm(Latencies.TODAY).withDisorder(disorder))
            .with(client);
    List<Simulation> held = new ArrayList<>(1);
    var unused =
        Simulation.run(
            setup,
            simulation -> {
              held.add(simulation);
              for (int i = 1; i < runs.size(); i++) {
                simulation.startAfter(i, i * APART);
              }
            });
    double[] took = new double[runs.size()];
    for (int i = 0; i < took.length; i++) {
      took[i] = held.getFirst().client(i).tookMicros() / 1e6;
    }
    return took;
  }
}
