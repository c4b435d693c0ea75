package io.cloudkon.bench;

import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import io.cloudkon.simulator.load.MixedTasks;
import io.cloudkon.simulator.load.Tasks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Efficiency with tasks of 1 ms to 1 s, drawn from a fixed seed. */
final class HeterogeneousFigure implements FigureMeasurement {
  private static final int LEAST = 1;
  private static final int MOST = 1_000;
  private static final long SEED = 1;
  private static final int TASKS = 300;

  /** The number of drawn durations whose mean stands for that of all. */
  private static final int SAMPLE = 10_000;

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
  public List<String> notes(FigureOptions options) {
    List<String> notes = new ArrayList<>();
    notes.add(
        options.workNote("300 tasks for each worker process (--tasks), published 2,000.")
            + " A task of up to a second may come last. The published trace is not public: this one"
            + " has its range, and a mean of 60 ms.");
    notes.addAll(EfficiencyLines.notes(options));
    return notes;
  }

  @Override
  public boolean original(FigureOptions options) {
    return !options.defaultsOnly;
  }

  @Override
  public void measure(FigureCluster cluster) throws IOException, InterruptedException {
    int count = cluster.tasks(TASKS, meanMillis());
    Tasks tasks = MixedTasks.logNormal(count, LEAST, MOST, SEED);
    lines.measure(
        cluster,
        "1 ms to 1 s",
        count,
        i -> (int) Math.max(LEAST, tasks.micros(i) / 1000),
        EfficiencyLines.bareMillis(cluster));
  }

  /** The mean of the first durations that are drawn. */
  static double meanMillis() {
    Tasks sample = MixedTasks.logNormal(SAMPLE, LEAST, MOST, SEED);
    return IntStream.range(0, SAMPLE).mapToLong(sample::micros).average().orElseThrow() / 1000;
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
