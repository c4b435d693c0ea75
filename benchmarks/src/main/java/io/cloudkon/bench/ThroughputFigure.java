package io.cloudkon.bench;

import io.cloudkon.bench.results.FigureLine;
import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Tasks per second: {@code sleep 0}, 4 worker threads in each process. */
final class ThroughputFigure implements FigureMeasurement {
  private static final int PUBLISHED_TASKS = 16_000;
  private static final int ORIGINAL_TASKS = 400;
  private static final int ROUNDS = 3;

  private final LinePoints defaults = new LinePoints();
  private final LinePoints original = new LinePoints();
  private final LinePoints bundles = new LinePoints();
  private final LinePoints messages = new LinePoints();

  @Override
  public String name() {
    return "mtc-throughput";
  }

  @Override
  public String what() {
    return "Tasks per second, sleep 0, 4 worker threads in each worker process";
  }

  @Override
  public List<String> notes(FigureOptions options) {
    return List.of(
        "Tasks for each worker process: 16,000 on defaults, as published, and 400 under the preset,"
            + " whose tasks are a message each (--tasks sets both); as many before, to warm up.",
        "The ceilings are the bare SDK calls of messages of the same size, by one caller for each"
            + " slot: one write for each message under the preset, two for each bundle on defaults."
            + " As many messages as ours, but at least four full batches for each caller; the"
            + " median of three.");
  }

  @Override
  public void measure(FigureCluster cluster) throws IOException, InterruptedException {
    Setting setting = cluster.setting();
    int workers = cluster.workers();
    int many = many(cluster);
    int few = few(cluster);
    FigureRun ours = cluster.run(Way.DEFAULTS, many, i -> "sleep 0");
    FigureRun theirs = cluster.run(Way.ORIGINAL, few, i -> "sleep 0");
    int sent = ours.bundles();
    double bareBundles = bare(cluster, sent, Math.ceilDiv(many, sent), 2) * many / sent;
    double bareTasks = bare(cluster, few, 1, 1);
    defaults.add(workers, ours.tasksPerSecond());
    original.add(workers, theirs.tasksPerSecond());
    bundles.add(workers, bareBundles);
    messages.add(workers, bareTasks);
    setting.say(
        "  %2d workers, sleep 0: defaults %,.0f tasks/s (%.2f of the bare calls), preset original"
            + " %,.0f (%.2f)",
        workers,
        ours.tasksPerSecond(),
        ours.tasksPerSecond() / bareBundles,
        theirs.tasksPerSecond(),
        theirs.tasksPerSecond() / bareTasks);
  }

  /** The bare calls' bundles per second: the median of several loads. */
  private static double bare(FigureCluster cluster, int bundles, int tasks, int writes)
      throws IOException, InterruptedException {
    RawLoad load = cluster.bareSleeps(bundles, tasks, writes).several();
    double[] rates = new double[cluster.setting().quick() ? 1 : ROUNDS];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = cluster.bareCalls(load);
    }
    return LonelyLoop.median(rates);
  }

  /** The number of tasks on defaults. */
  static int many(FigureCluster cluster) {
    return cluster.workers() * cluster.setting().tasks(PUBLISHED_TASKS, 200);
  }

  /** The number of tasks under the preset. */
  static int few(FigureCluster cluster) {
    return cluster.workers() * cluster.setting().tasks(ORIGINAL_TASKS, 20);
  }

  @Override
  public List<FigurePanel> panels(SimulatedLines simulated) throws IOException {
    List<FigureLine> lines = new ArrayList<>();
    lines.add(defaults.measured(Way.DEFAULTS));
    lines.add(original.measured(Way.ORIGINAL));
    lines.add(bundles.ceiling("bare SDK calls for as many bundles as on defaults"));
    lines.add(messages.ceiling("bare SDK calls, a message and a write for each task"));
    lines.add(LinePoints.published("CloudKon (EC2 m1.medium)", 1, 238, 1024, 119_000));
    lines.add(LinePoints.published("a clone (t2.micro)", 1, 17, 2, 41, 4, 75, 8, 150, 16, 300));
    lines.addAll(simulated.of("throughput.csv"));
    return List.of(
        new FigurePanel(
            "Throughput, sleep 0",
            "worker processes",
            "tasks/s",
            FigurePanel.YScale.LOGARITHMIC,
            lines));
  }
}
