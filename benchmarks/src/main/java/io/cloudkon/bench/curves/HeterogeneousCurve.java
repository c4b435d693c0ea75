package io.cloudkon.bench.curves;

import io.cloudkon.bench.plot.Figure;
import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.plot.Figure.Stroke;
import io.cloudkon.bench.simulate.Point;
import io.cloudkon.bench.simulate.TaskTimes;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Efficiency with tasks of 1 ms to 1 s, 2,000 for each instance. The published trace is not public;
 * the simulated tasks are log-normal over the same range, from a fixed seed.
 */
final class HeterogeneousCurve implements Curve {
  private static final Load LOAD =
      new Load(4, 2, new TaskTimes(1, 1000, TaskTimes.Spread.LOG_NORMAL), 2_000, 2_000);

  private static final Map<Integer, Double> PUBLISHED = Map.of(256, 77.0);

  /** The sequential efficiency for the mean of these tasks, 60 ms. */
  private static final double SEQUENCE = Sequence.efficiency(60);

  @Override
  public String name() {
    return "efficiency-heterogeneous";
  }

  @Override
  public String what() {
    return "efficiency: tasks of 1 ms to 1 s, log-normal, 2,000 for each instance";
  }

  @Override
  public Drawn draw(Scale scale, Consumer<String> progress) {
    Map<Variant, Sweep> sweeps = new EnumMap<>(Variant.class);
    Figure figure =
        new Figure("Efficiency, tasks of 1 ms to 1 s", "instances", "efficiency in %", false)
            .upTo(100)
            .add("published", new double[] {256}, new double[] {77}, Hue.BLACK, Stroke.NONE)
            .add(
                "the original by arithmetic: threads in sequence",
                Arrays.stream(scale.published()).asDoubleStream().toArray(),
                Arrays.stream(scale.published()).mapToDouble(size -> SEQUENCE).toArray(),
                Hue.GREY,
                Stroke.DOTTED);
    for (Variant variant : Variant.COMPARED) {
      Sweep sweep = Sweep.of(variant, LOAD, scale, progress);
      sweeps.put(variant, sweep);
      figure.add(
          variant.label(), sweep.workers(), sweep.efficiency(), variant.hue(), variant.stroke());
    }
    return new Drawn(table(scale, sweeps), figure::write);
  }

  private static Table table(Scale scale, Map<Variant, Sweep> sweeps) {
    Table table =
        new Table(
            List.of(
                "instances",
                "published",
                "by arithmetic",
                Variant.ORIGINAL.label(),
                "tasks each",
                Variant.OURS_THEN.label(),
                Variant.OURS_TODAY.label(),
                "tasks each",
                "limits met today"));
    for (int workers : scale.published()) {
      Double published = PUBLISHED.get(workers);
      Point original = Points.of(sweeps, Variant.ORIGINAL, workers);
      Point today = Points.of(sweeps, Variant.OURS_TODAY, workers);
      table.row(
          List.of(
              Cells.whole(workers),
              published == null ? Cells.NONE : Cells.whole(published),
              Cells.tenth(SEQUENCE),
              Cells.efficiency(original),
              Cells.tasks(original),
              Cells.efficiency(Points.of(sweeps, Variant.OURS_THEN, workers)),
              Cells.efficiency(today),
              Cells.tasks(today),
              Cells.limits(today)));
    }
    return table;
  }
}
