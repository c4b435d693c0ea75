package io.cloudkon.bench.curves;

import io.cloudkon.bench.plot.Figure;
import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.plot.Figure.Stroke;
import io.cloudkon.simulator.report.PublishedStage;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Milliseconds from a task's send to its result; see {@link BatchLatency} for the load. */
final class LatencyCurve implements Curve {
  private static final double ON_ONE = 95;

  /** At most 10 ms more than on one instance. */
  private static final double ON_MANY = 105;

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public String what() {
    return "ms per task: sleep 0 in batches of ten, 1 client thread and 2 worker threads";
  }

  @Override
  public Drawn draw(Scale scale, Consumer<String> progress) {
    Map<Variant, Map<Integer, Double>> means = new EnumMap<>(Variant.class);
    Figure figure =
        new Figure("Latency, sleep 0, one batch of ten at a time", "instances", "mean in ms", false)
            .add(
                "published (on 1,024: at most)",
                new double[] {1, 1024},
                new double[] {ON_ONE, ON_MANY},
                Hue.BLACK,
                Stroke.NONE);
    for (Variant variant : Variant.COMPARED) {
      Map<Integer, Double> byWorkers = new TreeMap<>();
      for (int workers : scale.published()) {
        double mean = BatchLatency.of(variant, scale, workers).mean(PublishedStage.TOTAL);
        byWorkers.put(workers, mean);
        progress.accept(
            String.format(
                Locale.ROOT, "  %-30s %,6d workers: %.1f ms", variant.label(), workers, mean));
      }
      means.put(variant, byWorkers);
      figure.add(
          variant.label(),
          Arrays.stream(scale.published()).asDoubleStream().toArray(),
          byWorkers.values().stream().mapToDouble(mean -> mean).toArray(),
          variant.hue(),
          variant.stroke());
    }
    return new Drawn(table(scale, means), figure::write);
  }

  private static Table table(Scale scale, Map<Variant, Map<Integer, Double>> means) {
    Table table =
        new Table(
            List.of(
                "instances",
                "published",
                Variant.ORIGINAL.label(),
                Variant.OURS_THEN.label(),
                Variant.OURS_TODAY.label()));
    for (int workers : scale.published()) {
      table.row(
          List.of(
              Cells.whole(workers),
              workers == 1 ? Cells.whole(ON_ONE) : workers == 1024 ? "at most 105" : Cells.NONE,
              mean(means, Variant.ORIGINAL, workers),
              mean(means, Variant.OURS_THEN, workers),
              mean(means, Variant.OURS_TODAY, workers)));
    }
    return table;
  }

  private static String mean(
      Map<Variant, Map<Integer, Double>> means, Variant variant, int workers) {
    Double mean = means.getOrDefault(variant, Map.of()).get(workers);
    return mean == null ? Cells.NONE : Cells.tenth(mean);
  }
}
