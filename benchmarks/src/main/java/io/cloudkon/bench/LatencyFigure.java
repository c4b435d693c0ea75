package io.cloudkon.bench;

import io.cloudkon.bench.results.FigureLine;
import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import io.cloudkon.client.report.Stamp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Milliseconds per task: {@code sleep 0}, 1 client and 2 worker threads for each process. */
final class LatencyFigure implements FigureMeasurement {
  /** The published values: 95 ms on one instance, and at most 10 ms more on 1,024. */
  private static final double[] PUBLISHED = {1, 95, 1024, 105};

  private final LinePoints defaults = new LinePoints();
  private final LinePoints original = new LinePoints();
  private final LinePoints bare = new LinePoints();

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public String what() {
    return "Milliseconds from a task's send to its result, sleep 0, 1 client and 2 worker threads"
        + " for each worker process";
  }

  @Override
  public List<String> notes(FigureOptions options) {
    return List.of(
        "Each client has one batch of ten tasks under way at a time; the mean over 150 tasks for"
            + " each worker process (--tasks), after half as many to warm up. All clients are"
            + " threads of one process.",
        "The ceiling is the bare SDK calls between a task's submission and its result, one after"
            + " the other, by one caller.");
  }

  @Override
  public int slots() {
    return BatchTimes.SLOTS;
  }

  @Override
  public void measure(FigureCluster cluster) throws IOException, InterruptedException {
    BatchTimes ours = cluster.batches(Way.DEFAULTS);
    BatchTimes theirs = cluster.batches(Way.ORIGINAL);
    int workers = cluster.workers();
    defaults.add(workers, mean(ours));
    original.add(workers, mean(theirs));
    bare.add(workers, ours.bareMillis());
    cluster
        .setting()
        .say(
            "  %2d workers, latency: defaults %.1f ms, preset original %.1f ms (bare calls %.1f"
                + " ms)",
            workers, mean(ours), mean(theirs), ours.bareMillis());
  }

  @Override
  public List<FigurePanel> panels(SimulatedLines simulated) throws IOException {
    List<FigureLine> lines = new ArrayList<>();
    lines.add(defaults.measured(Way.DEFAULTS));
    lines.add(original.measured(Way.ORIGINAL));
    lines.add(bare.ceiling("bare SDK calls of a task, one after the other"));
    lines.add(LinePoints.published("CloudKon (on 1,024: at most)", PUBLISHED));
    lines.addAll(simulated.of("latency.csv"));
    return List.of(
        new FigurePanel(
            "Latency, sleep 0, one batch of ten at a time",
            "worker processes",
            "mean in ms",
            FigurePanel.YScale.LINEAR,
            lines));
  }

  private static double mean(BatchTimes times) {
    return Arrays.stream(times.millis(Stamp.SEND_BEGUN, Stamp.SEND_BEGUN, Stamp.COLLECTED))
        .average()
        .orElseThrow();
  }
}
