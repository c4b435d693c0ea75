package io.cloudkon.bench;

import io.cloudkon.bench.results.FigureLine;
import io.cloudkon.bench.results.FigurePanel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** The lines of an efficiency plot: both ways of running, and a thread that works sequentially. */
final class EfficiencyLines {
  private final LinePoints defaults = new LinePoints();
  private final LinePoints original = new LinePoints();
  private final LinePoints sequence = new LinePoints();

  /**
   * Measures tasks of these durations.
   *
   * @param label describes the tasks
   * @param millis the duration of a task, by its number from 0
   * @param bareMillis the time of the original's bare calls for a task
   */
  void measure(
      FigureCluster cluster, String label, int tasks, IntUnaryOperator millis, double bareMillis)
      throws IOException, InterruptedException {
    double sum = 0;
    for (int i = 0; i < tasks; i++) {
      sum += millis.applyAsInt(i);
    }
    double ours = percent(cluster, Way.DEFAULTS, tasks, millis, sum);
    double theirs = percent(cluster, Way.ORIGINAL, tasks, millis, sum);
    double best = 100 * sum / (sum + tasks * bareMillis);
    defaults.add(cluster.workers(), ours);
    original.add(cluster.workers(), theirs);
    sequence.add(cluster.workers(), best);
    cluster
        .setting()
        .say(
            "  %2d workers, tasks of %s: defaults %.1f %%, preset original %.1f %% (in sequence"
                + " with the bare calls %.1f %%)",
            cluster.workers(), label, ours, theirs, best);
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
    lines.add(original.measured(Way.ORIGINAL));
    lines.add(sequence.ceiling("bare SDK calls and the task in sequence"));
    if (!published.points().isEmpty()) {
      lines.add(published);
    }
    lines.addAll(simulated);
    return new FigurePanel(
        title, "worker processes", "efficiency in %", FigurePanel.YScale.PERCENT, lines);
  }
}
