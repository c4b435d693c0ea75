package io.cloudkon.bench.fleet;

import io.cloudkon.bench.plot.Figure;
import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.plot.Figure.Stroke;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Draws the history of a fleet: queue, workers, tasks per second and dollars, one above the other.
 */
final class FleetFigure {
  private static final String SECONDS = "seconds since the first sample";

  private FleetFigure() {}

  /**
   * Writes the PNG.
   *
   * @param finishes when each task finished, in epoch milliseconds, in any order
   */
  static void write(Path file, List<FleetSample> samples, long[] finishes) throws IOException {
    double[] seconds = of(samples, one -> one.atMillis() - samples.getFirst().atMillis());
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] /= 1000;
    }
    Figure queue =
        figure("Queue", "bundles")
            .add(
                "waiting or running",
                seconds,
                of(samples, FleetSample::queue),
                Hue.BLUE,
                Stroke.SOLID);
    Figure workers =
        figure("Workers", "workers")
            .add("wanted", seconds, of(samples, FleetSample::wanted), Hue.BLACK, Stroke.DASHED)
            .add("booting", seconds, of(samples, FleetSample::booting), Hue.ORANGE, Stroke.SOLID)
            .add("live", seconds, of(samples, FleetSample::live), Hue.GREEN, Stroke.SOLID);
    Figure rate =
        figure("Throughput", "tasks/s")
            .add(
                "tasks that finished in this second",
                whole(seconds),
                rate(samples, finishes, whole(seconds).length),
                Hue.PURPLE,
                Stroke.SOLID);
    Figure dollars =
        figure("Cost of the workers", "USD")
            .add(
                "spent so far",
                seconds,
                of(samples, FleetSample::spentUsd),
                Hue.BLUE,
                Stroke.SOLID);
    Figure.write(file, List.of(queue, workers, rate, dollars));
  }

  private static Figure figure(String title, String unit) {
    return Figure.overTime(title, SECONDS, unit);
  }

  private static double[] of(List<FleetSample> samples, ToDoubleFunction<FleetSample> value) {
    return samples.stream().mapToDouble(value).toArray();
  }

  private static double[] whole(double[] seconds) {
    int count = (int) Math.ceil(seconds[seconds.length - 1]);
    double[] all = new double[Math.max(1, count)];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    return all;
  }

  private static double[] rate(List<FleetSample> samples, long[] finishes, int seconds) {
    double[] perSecond = new double[seconds];
    for (long finish : finishes) {
      int second = (int) ((finish - samples.getFirst().atMillis()) / 1000);
      if (second >= 0 && second < seconds) {
        perSecond[second]++;
      }
    }
    return perSecond;
  }
}
