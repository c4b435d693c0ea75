package io.cloudkon.bench.curves;

import io.cloudkon.bench.plot.Figure;
import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.plot.Figure.Stroke;
import io.cloudkon.bench.simulate.Point;
import io.cloudkon.bench.simulate.Scenario;
import io.cloudkon.bench.simulate.TaskTimes;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Efficiency of our defaults with tasks of 100 ms, up to the largest fleet: with AWS's default
 * limits, with DynamoDB's quota of writes raised, and with bundles so large that the quota is not
 * reached. The number of tasks for each worker is the same at every size, so that begin and end
 * have the same weight.
 */
final class ScaleCurve implements Curve {
  private static final Load LOAD = new Load(1, 2, TaskTimes.always(100), 100, 100);

  /** The factor for bundles, compared with the other curves. */
  private static final int TIMES_BUNDLES = 5;

  private static final long LONG_TARGET = 1_000;

  /** A way to run the tasks. */
  private enum Way {
    DEFAULTS("defaults", Variant.OURS_TODAY, Hue.BLUE, Stroke.SOLID),
    RAISED("defaults, quota of writes raised", Variant.OURS_RAISED, Hue.GREEN, Stroke.DASHED),
    LARGE("--bundle-target 1s", Variant.OURS_TODAY, Hue.ORANGE, Stroke.SOLID);

    private final String label;
    private final Variant variant;
    private final Hue hue;
    private final Stroke stroke;

    Way(String label, Variant variant, Hue hue, Stroke stroke) {
      this.label = label;
      this.variant = variant;
      this.hue = hue;
      this.stroke = stroke;
    }

    Scenario scenario(int tasks, int workers) {
      Scenario scenario = variant.scenario(LOAD, tasks, workers);
      BundlerSettings usual = BundlerSettings.DEFAULT;
      return this == LARGE
          ? scenario.with(
              scenario
                  .client()
                  .with(new BundlerSettings(0, LONG_TARGET, usual.maxBytes(), usual.mayWait())))
          : scenario;
    }
  }

  @Override
  public String name() {
    return "scale";
  }

  @Override
  public String what() {
    return "efficiency: tasks of 100 ms, 100 for each worker of one slot, on defaults";
  }

  @Override
  public Drawn draw(Scale scale, Consumer<String> progress) {
    Scale larger = scale.timesBundles(TIMES_BUNDLES);
    Figure figure =
        new Figure("Efficiency, tasks of 100 ms, one slot", "workers", "efficiency in %", false)
            .upTo(100);
    Table table =
        new Table(
            List.of(
                "how",
                "workers",
                "efficiency in %",
                "tasks/s",
                "tasks each",
                "calls per task",
                "USD per million tasks",
                "most in flight",
                "limits met"));
    for (Way way : Way.values()) {
      NavigableMap<Integer, Point> points = points(way, larger, progress);
      Sweep sweep = new Sweep(way.variant, points);
      figure.add(way.label, sweep.workers(), sweep.efficiency(), way.hue, way.stroke);
      points.values().forEach(point -> row(table, way, point));
    }
    return new Drawn(table, figure::write);
  }

  private static NavigableMap<Integer, Point> points(
      Way way, Scale scale, Consumer<String> progress) {
    NavigableMap<Integer, Point> points = new TreeMap<>();
    for (int workers : scale.sizes()) {
      int tasks = scale.tasks(way.variant, LOAD, workers);
      Point point = Point.of(way.scenario(tasks, workers), workers);
      points.put(workers, point);
      progress.accept(Sweep.line(way.label, point, LOAD));
    }
    return points;
  }

  private static void row(Table table, Way way, Point point) {
    table.row(
        List.of(
            way.label,
            Cells.whole(point.workers()),
            Cells.efficiency(point),
            Cells.throughput(point),
            Cells.tasks(point),
            Cells.hundredth(point.callsPerTask()),
            Cells.hundredth(point.usdPerMillionTasks()),
            Cells.whole(point.outcome().mostInFlight()),
            Cells.limits(point)));
  }
}
