package io.cloudkon.bench.curves;

import io.cloudkon.bench.simulate.Point;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The points of one variant by number of workers.
 *
 * @param variant the variant
 * @param points by number of workers
 */
record Sweep(Variant variant, NavigableMap<Integer, Point> points) {

  /** Simulates a variant at all its sizes. */
  static Sweep of(Variant variant, Load load, Scale scale, Consumer<String> progress) {
    NavigableMap<Integer, Point> points = new TreeMap<>();
    for (int workers : scale.sizes(variant)) {
      int tasks = scale.tasks(variant, load, workers);
      Point point = Point.of(variant.scenario(load, tasks, workers), workers);
      points.put(workers, point);
      progress.accept(line(variant.label(), point, load));
    }
    return new Sweep(variant, points);
  }

  /** A progress line for one point. */
  static String line(String label, Point point, Load load) {
    return String.format(
        Locale.ROOT,
        "  %-34s %,6d workers, %,11d tasks of %s: %,12.0f tasks/s, efficiency %5.1f %%  (%.1f s,"
            + " %s)",
        label,
        point.workers(),
        point.tasks(),
        load.times().label(),
        point.tasksPerSecond(),
        100 * point.efficiency(),
        point.wallSeconds(),
        point.limits().isEmpty() ? "no limit met" : String.join(", ", point.limits()));
  }

  double[] workers() {
    return points.keySet().stream().mapToDouble(workers -> workers).toArray();
  }

  double[] throughput() {
    return points.values().stream().mapToDouble(Point::tasksPerSecond).toArray();
  }

  /** The efficiencies, in percent. */
  double[] efficiency() {
    return points.values().stream().mapToDouble(point -> 100 * point.efficiency()).toArray();
  }
}
