package io.cloudkon.bench.curves;

import io.cloudkon.bench.plot.Figure;
import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.plot.Figure.Stroke;
import io.cloudkon.bench.simulate.Point;
import io.cloudkon.bench.simulate.TaskTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Efficiency with tasks of equal duration: 1, 16 and 128 ms. */
final class HomogeneousCurve implements Curve {
  /** One of the three durations. */
  private enum Length {
    MILLIS_1(1, 4_000, 100),
    MILLIS_16(16, 2_000, 500),
    MILLIS_128(128, 500, 250);

    private final int millis;
    private final Load load;

    Length(int millis, int tasks, int originalTasks) {
      this.millis = millis;
      this.load = new Load(4, 2, TaskTimes.always(millis), tasks, originalTasks);
    }
  }

  /** The published efficiency in percent, at every scale; for 1 ms it is only known to be lower. */
  private static final Map<Length, Double> PUBLISHED =
      Map.of(Length.MILLIS_16, 40.0, Length.MILLIS_128, 88.0);

  @Override
  public String name() {
    return "efficiency-homogeneous";
  }

  @Override
  public String what() {
    return "efficiency: tasks of 1, 16 and 128 ms, 4 worker threads on each instance";
  }

  @Override
  public Drawn draw(Scale scale, Consumer<String> progress) {
    List<Figure> figures = new ArrayList<>();
    Map<Length, Map<Variant, Sweep>> all = new EnumMap<>(Length.class);
    for (Length length : Length.values()) {
      Map<Variant, Sweep> sweeps = new EnumMap<>(Variant.class);
      for (Variant variant : Variant.COMPARED) {
        sweeps.put(variant, Sweep.of(variant, length.load, scale, progress));
      }
      all.put(length, sweeps);
      figures.add(figure(length, scale, sweeps));
    }
    return new Drawn(table(scale, all), file -> Figure.write(file, figures));
  }

  private static Figure figure(Length length, Scale scale, Map<Variant, Sweep> sweeps) {
    double[] sizes = Arrays.stream(scale.published()).asDoubleStream().toArray();
    Figure figure =
        new Figure(
                "Efficiency, tasks of %d ms".formatted(length.millis),
                "instances",
                "efficiency in %",
                false)
            .upTo(100);
    Double published = PUBLISHED.get(length);
    if (published != null) {
      figure.add(
          "published, at every size",
          sizes,
          Arrays.stream(sizes).map(size -> published).toArray(),
          Hue.BLACK,
          Stroke.NONE);
    }
    figure.add(
        "the original by arithmetic: threads in sequence",
        sizes,
        Arrays.stream(sizes).map(size -> Sequence.efficiency(length.millis)).toArray(),
        Hue.GREY,
        Stroke.DOTTED);
    sweeps.forEach((variant, sweep) ->
        figure.add(
            variant.label(), sweep.workers(), sweep.efficiency(), variant.hue(), variant.stroke()));
    return figure;
  }

  private static Table table(Scale scale, Map<Length, Map<Variant, Sweep>> all) {
    Table table =
        new Table(
            List.of(
                "task",
                "instances",
                "published",
                "by arithmetic",
                Variant.ORIGINAL.label(),
                "tasks each",
                Variant.OURS_THEN.label(),
                Variant.OURS_TODAY.label(),
                "tasks each",
                "limits met today"));
    all.forEach((length, sweeps) -> rows(table, scale, length, sweeps));
    return table;
  }

  private static void rows(Table table, Scale scale, Length length, Map<Variant, Sweep> sweeps) {
    for (int workers : scale.published()) {
      Point original = Points.of(sweeps, Variant.ORIGINAL, workers);
      Point today = Points.of(sweeps, Variant.OURS_TODAY, workers);
      Double published = PUBLISHED.get(length);
      List<String> row = new ArrayList<>();
      row.add(length.millis + " ms");
      row.add(Cells.whole(workers));
      row.add(published == null ? Cells.NONE : Cells.whole(published));
      row.add(Cells.tenth(Sequence.efficiency(length.millis)));
      row.add(Cells.efficiency(original));
      row.add(Cells.tasks(original));
      row.add(Cells.efficiency(Points.of(sweeps, Variant.OURS_THEN, workers)));
      row.add(Cells.efficiency(today));
      row.add(Cells.tasks(today));
      row.add(Cells.limits(today));
      table.row(row);
    }
  }
}
