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

/** Tasks per second: {@code sleep 0}, 2 client threads and 4 worker threads on each instance. */
final class ThroughputCurve implements Curve {
  private static final Load LOAD = new Load(4, 2, TaskTimes.always(0), 16_000, 250);
  private static final Map<Integer, Double> PUBLISHED = Map.of(1, 238.0, 1024, 119_000.0);

  @Override
  public String name() {
    return "throughput";
  }

  @Override
  public String what() {
    return "tasks/s: sleep 0, 2 client threads and 4 worker threads on each instance";
  }

  @Override
  public Drawn draw(Scale scale, Consumer<String> progress) {
    Map<Variant, Sweep> sweeps = new EnumMap<>(Variant.class);
    Figure figure =
        new Figure("Throughput, sleep 0", "instances", "tasks/s", true)
            .add(
                "published",
                new double[] {1, 1024},
                new double[] {238, 119_000},
                Hue.BLACK,
                Stroke.NONE)
            .add(
                "the original by arithmetic: threads in sequence",
                Arrays.stream(scale.published()).asDoubleStream().toArray(),
                Arrays.stream(scale.published()).mapToDouble(ThroughputCurve::sequence).toArray(),
                Hue.GREY,
                Stroke.DOTTED);
    for (Variant variant : Variant.values()) {
      Sweep sweep = Sweep.of(variant, LOAD, scale, progress);
      sweeps.put(variant, sweep);
      figure.add(
          variant.label(), sweep.workers(), sweep.throughput(), variant.hue(), variant.stroke());
    }
    return new Drawn(table(scale, sweeps), figure::write);
  }

  private static double sequence(int workers) {
    return Sequence.throughput(workers, LOAD.slots(), 0);
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
    for (int workers : scale.sizes()) {
      Double published = PUBLISHED.get(workers);
      Point original = Points.of(sweeps, Variant.ORIGINAL, workers);
      Point today = Points.today(sweeps, workers);
      table.row(
          List.of(
              Cells.whole(workers),
              published == null ? Cells.NONE : Cells.whole(published),
              original == null ? Cells.NONE : Cells.whole(sequence(workers)),
              Cells.throughput(original),
              Cells.tasks(original),
              Cells.throughput(Points.of(sweeps, Variant.OURS_THEN, workers)),
              Cells.throughput(today),
              Cells.tasks(today),
              Points.limitsToday(sweeps, workers)));
    }
    return table;
  }
}
