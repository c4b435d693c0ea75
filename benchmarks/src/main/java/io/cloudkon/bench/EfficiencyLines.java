package io.cloudkon.bench;

import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.results.FigureLine;
import io.cloudkon.bench.results.FigurePanel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;

/**
 * The lines of an efficiency plot: both ways of running, a bare pool of threads, and a thread that
 * works sequentially. With {@code --defaults-only} there are only the defaults and the pool.
 */
final class EfficiencyLines {
  private final LinePoints defaults = new LinePoints();
  private final LinePoints original = new LinePoints();
  private final LinePoints pool = new LinePoints();
  private final LinePoints sequence = new LinePoints();

  /** The notes that explain the lines. */
  static List<String> notes(FigureOptions options) {
    return List.of(
        "The bare thread pool is a fixed pool of as many platform threads as the cluster has slots,"
            + " in the process of the benchmark: the same tasks in the same order, by the call that"
            + " a worker makes for `sleep`.",
        options.defaultsOnly
            ? "The preset original and its bare SDK calls are left out (--defaults-only)."
            : "The other ceiling is a thread that does the original's bare SDK calls and the task"
                + " in sequence; whoever overlaps them can do better.");
  }

  /**
   * The time of the original's bare calls for a task, in milliseconds; empty with {@code
   * --defaults-only}.
   */
  static OptionalDouble bareMillis(FigureCluster cluster) throws IOException, InterruptedException {
    return cluster.setting().figures().defaultsOnly
        ? OptionalDouble.empty()
        : OptionalDouble.of(cluster.bareMillis(1));
  }

  /**
   * Measures tasks of these durations.
   *
   * @param label describes the tasks
   * @param millis the duration of a task, by its number from 0
   * @param bareMillis the time of the original's bare calls for a task; empty to leave out the
   *     preset original
   */
  void measure(
      FigureCluster cluster,
      String label,
      int tasks,
      IntUnaryOperator millis,
      OptionalDouble bareMillis)
      throws IOException, InterruptedException {
    double sum = 0;
    for (int i = 0; i < tasks; i++) {
      sum += millis.applyAsInt(i);
    }
    int workers = cluster.workers();
    double ours = percent(cluster, Way.DEFAULTS, tasks, millis, sum);
    double bare = BarePool.efficiency(cluster.slots(), tasks, millis);
    defaults.add(workers, ours);
    pool.add(workers, bare);
    String preset = "";
    if (bareMillis.isPresent()) {
      double theirs = percent(cluster, Way.ORIGINAL, tasks, millis, sum);
      double best = 100 * sum / (sum + tasks * bareMillis.getAsDouble());
      original.add(workers, theirs);
      sequence.add(workers, best);
      preset =
          ", preset original %.1f %% (in sequence with the bare calls %.1f %%)"
              .formatted(theirs, best);
    }
    cluster
        .setting()
        .say(
            "  %2d workers, %,d tasks of %s: defaults %.1f %%, %.1f %% of the bare pool (%.1f"
                + " %%)%s",
            workers, tasks, label, ours, 100 * ours / bare, bare, preset);
  }

  private static double percent(
      FigureCluster cluster, Way way, int tasks, IntUnaryOperator millis, double sum)
      throws IOException, InterruptedException {
    FigureRun run = cluster.run(way, tasks, i -> "sleep " + millis.applyAsInt(i - 1));
    return 100 * sum / (1000 * run.seconds() * cluster.slots());
  }

  FigurePanel panel(String title, FigureLine published, List<FigureLine> simulated) {
    List<FigureLine> lines = new ArrayList<>();
    lines.add(defaults.measured(Way.DEFAULTS));
    lines.add(pool.ceiling("bare thread pool", Hue.GREEN));
    if (!original.isEmpty()) {
      lines.add(original.measured(Way.ORIGINAL));
      lines.add(sequence.ceiling("bare SDK calls and the task in sequence"));
    }
    if (!published.points().isEmpty()) {
      lines.add(published);
    }
    lines.addAll(original.isEmpty() ? Way.withoutOriginal(simulated) : simulated);
    return new FigurePanel(
        title, "worker processes", "efficiency in %", FigurePanel.YScale.PERCENT, lines);
  }
}
