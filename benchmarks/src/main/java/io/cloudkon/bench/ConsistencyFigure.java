package io.cloudkon.bench;

import io.cloudkon.bench.results.FigureLine;
import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The cost of claims: how much longer {@code sleep 16} takes with claims than without. Both are
 * measured alternately, and the medians are compared.
 */
final class ConsistencyFigure implements FigureMeasurement {
  private static final int MILLIS = 16;
  private static final int TASKS = 200;
  private static final int ROUNDS = 3;

  private final LinePoints defaults = new LinePoints();
  private final LinePoints original = new LinePoints();
  private final LinePoints bare = new LinePoints();

  @Override
  public String name() {
    return "consistency";
  }

  @Override
  public String what() {
    return "How much longer sleep 16 takes with control of duplicates than without, 4 worker"
        + " threads in each worker process";
  }

  @Override
  public List<String> notes(FigureOptions options) {
    return List.of(
        options.workNote("200 tasks for each worker process (--tasks).")
            + " Medians of three runs with and three without, in turns. What is below nothing is"
            + " chance, and so is as much above it.",
        options.defaultsOnly
            ? "The preset original and its bare SDK calls are left out (--defaults-only)."
            : "The ceiling is a thread that does the bare SDK calls and the task in sequence, with"
                + " the original's one write for each task against without.");
  }

  @Override
  public boolean original(FigureOptions options) {
    return !options.defaultsOnly;
  }

  @Override
  public void measure(FigureCluster cluster) throws IOException, InterruptedException {
    int workers = cluster.workers();
    double ours = percent(cluster, Way.DEFAULTS, Way.DEFAULTS_WITHOUT_CLAIMS);
    defaults.add(workers, ours);
    String preset = cluster.setting().figures().defaultsOnly ? "" : measureOriginal(cluster);
    cluster
        .setting()
        .say("  %2d workers, control of duplicates: defaults %.1f %%%s", workers, ours, preset);
  }

  /** Measures the preset and its bare calls; returns what is printed of them. */
  private String measureOriginal(FigureCluster cluster) throws IOException, InterruptedException {
    double theirs = percent(cluster, Way.ORIGINAL, Way.ORIGINAL_WITHOUT_CLAIMS);
    double with = MILLIS + cluster.bareMillis(1);
    double without = MILLIS + cluster.bareMillis(0);
    double sequence = 100 * (with / without - 1);
    original.add(cluster.workers(), theirs);
    bare.add(cluster.workers(), sequence);
    return ", preset original %.1f %% (bare calls in sequence %.1f %%)".formatted(theirs, sequence);
  }

  private static double percent(FigureCluster cluster, Way with, Way without)
      throws IOException, InterruptedException {
    int rounds = cluster.setting().quick() ? 1 : ROUNDS;
    double[] longer = new double[rounds];
    double[] shorter = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      shorter[i] = seconds(cluster, without);
      longer[i] = seconds(cluster, with);
    }
    return 100 * (LonelyLoop.median(longer) / LonelyLoop.median(shorter) - 1);
  }

  private static double seconds(FigureCluster cluster, Way way)
      throws IOException, InterruptedException {
    int tasks = cluster.tasks(TASKS, MILLIS);
    return cluster.run(way, tasks, i -> "sleep " + MILLIS).seconds();
  }

  @Override
  public List<FigurePanel> panels(SimulatedLines simulated) throws IOException {
    List<FigureLine> lines = new ArrayList<>();
    lines.add(
        defaults.measured("defaults: exactly-once against at-least-once", Way.DEFAULTS.hue()));
    if (!original.isEmpty()) {
      lines.add(
          original.measured(
              "preset original: at-most-once against at-least-once", Way.ORIGINAL.hue()));
      lines.add(bare.ceiling("bare SDK calls and the task in sequence, one write against none"));
    }
    lines.add(LinePoints.published("CloudKon, at most (below 10 and at scale)", 9, 15, 1024, 35));
    List<FigureLine> beside =
        simulated.of(
            "consistency-overhead.csv",
            "",
            "at-most-once, preset original",
            "exactly-once, defaults, today's latencies");
    lines.addAll(original.isEmpty() ? Way.withoutOriginal(beside) : beside);
    return List.of(
        new FigurePanel(
            "What control of duplicates costs, sleep 16",
            "worker processes",
            "% more time",
            FigurePanel.YScale.LINEAR,
            lines));
  }
}
