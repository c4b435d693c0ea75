package io.cloudkon.bench.simulate;

import io.cloudkon.bench.plot.Figure;
import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.plot.Figure.Stroke;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Draws the table: throughput above efficiency, or above latency if tasks take no time. */
final class ScaleFigure {
  private ScaleFigure() {}

  static void write(Path file, Scenario scenario, List<Point> points) throws IOException {
    double[] workers = points.stream().mapToDouble(Point::workers).toArray();
    double[] throughput = points.stream().mapToDouble(Point::tasksPerSecond).toArray();
    String load =
        "tasks of %s, %,d for each worker of %d slots, %s"
            .formatted(
                scenario.times().label(),
                scenario.tasksPerWorker(),
                scenario.slots(),
                scenario.consistency().label());
    Figure above =
        new Figure("Throughput: " + load, "workers", "tasks/s", true)
            .add("simulated", workers, throughput, Hue.BLUE, Stroke.SOLID);
    boolean idle = points.stream().allMatch(point -> point.ownMicros() == 0);
    Figure below = idle ? latency(load, workers, points) : efficiency(load, workers, points);
    Figure.write(file, List.of(above, below));
  }

  private static Figure efficiency(String load, double[] workers, List<Point> points) {
    double[] percent = points.stream().mapToDouble(point -> 100 * point.efficiency()).toArray();
    return new Figure("Efficiency: " + load, "workers", "efficiency in %", false)
        .add("simulated", workers, percent, Hue.BLUE, Stroke.SOLID);
  }

  private static Figure latency(String load, double[] workers, List<Point> points) {
    double[] median = points.stream().mapToDouble(point -> point.latencyMillis(50)).toArray();
    double[] p99 = points.stream().mapToDouble(point -> point.latencyMillis(99)).toArray();
    return new Figure("Latency: " + load, "workers", "ms from send to result", false)
        .add("median", workers, median, Hue.BLUE, Stroke.SOLID)
        .add("99th percentile", workers, p99, Hue.BLUE, Stroke.DASHED);
  }
}
