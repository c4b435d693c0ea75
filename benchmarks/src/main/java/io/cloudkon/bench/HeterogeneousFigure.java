package io.cloudkon.bench;

import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import io.cloudkon.simulator.load.MixedTasks;
import io.cloudkon.simulator.load.Tasks;
import java.io.IOException;
import java.util.List;

/** Efficiency with tasks of 1 ms to 1 s, drawn from a fixed seed. */
final class HeterogeneousFigure implements FigureMeasurement {
  private static final int LEAST = 1;
  private static final int MOST = 1_000;
  private static final long SEED = 1;
  private static final int TASKS = 300;

  private final EfficiencyLines lines = new EfficiencyLines();

  @Override
  public String name() {
    return "heterogeneous";
  }

  @Override
  public String what() {
    return "Efficiency with tasks of 1 ms to 1 s, log-normal from a fixed seed, 4 worker threads in"
        + " each worker process";
  }

  @Override
  public List<String> notes() {
    return List.of(
        "300 tasks for each worker process (--tasks), published 2,000; a task of up to a second may"
            + " come last. The published trace is not public: this one has its range, and a mean of"
            + " 60 ms.",
        "The ceiling is a thread that does the original's bare SDK calls and the tasks in sequence;"
            + " whoever overlaps them can do better.");
  }

  @Override
  public void measure(FigureCluster cluster) throws IOException, InterruptedException {
    int count = cluster.workers() * cluster.setting().tasks(TASKS, 10);
    Tasks tasks = MixedTasks.logNormal(count, LEAST, MOST, SEED);
    lines.measure(
        cluster,
        "1 ms to 1 s",
        count,
        i -> (int) Math.max(LEAST, tasks.micros(i) / 1000),
        cluster.bareMillis(1));
  }

  @Override
  public List<FigurePanel> panels(SimulatedLines simulated) throws IOException {
    return List.of(
        lines.panel(
            "Efficiency, tasks of 1 ms to 1 s",
            LinePoints.published("CloudKon", 256, 77),
            simulated.of("efficiency-heterogeneous.csv")));
  }
}
