package io.cloudkon.bench.curves;

import io.cloudkon.bench.plot.Figure;
import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.bench.plot.Figure.Stroke;
import io.cloudkon.bench.simulate.Point;
import io.cloudkon.bench.simulate.Scenario;
import io.cloudkon.bench.simulate.TaskTimes;
import io.cloudkon.core.model.Consistency;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The cost of claims: how much longer {@code sleep 16} takes with claims than in at-least-once,
 * which has none.
 */
final class OverheadCurve implements Curve {
  private static final Load LOAD = new Load(4, 2, TaskTimes.always(16), 500, 150);

  /**
   * The total number of workers in the fleets of all seeds. Small fleets use more seeds, because
   * chance affects them more.
   */
  private static final int WORKERS_OF_ALL_SEEDS = 1024;

  private static final int MOST_SEEDS = 16;

  /** A case that is compared with at-least-once. */
  private enum Case {
    ORIGINAL(Variant.ORIGINAL, Consistency.AT_MOST_ONCE, Hue.ORANGE, Stroke.DASHED),
    THEN(Variant.OURS_THEN, Consistency.EXACTLY_ONCE, Hue.BLUE, Stroke.DASHED),
    TODAY(Variant.OURS_TODAY, Consistency.EXACTLY_ONCE, Hue.BLUE, Stroke.SOLID);

    private final Variant variant;
    private final Consistency mode;
    private final Hue hue;
    private final Stroke stroke;

    Case(Variant variant, Consistency mode, Hue hue, Stroke stroke) {
      this.variant = variant;
      this.mode = mode;
      this.hue = hue;
      this.stroke = stroke;
    }

    String label() {
      return "%s, %s".formatted(mode.label(), variant.label());
    }
  }

  @Override
  public String name() {
    return "consistency-overhead";
  }

  @Override
  public String what() {
    return "what claims cost in %: sleep 16, against at-least-once";
  }

  @Override
  public Drawn draw(Scale scale, Consumer<String> progress) {
    double[] sizes = Arrays.stream(scale.published()).asDoubleStream().toArray();
    Figure figure =
        new Figure("What claims cost, sleep 16", "instances", "% more time", false)
            .add(
                "published: below 15 under 10 instances, up to 35",
                new double[] {10, 1024},
                new double[] {15, 35},
                Hue.BLACK,
                Stroke.NONE)
            .add(
                "the original by arithmetic: threads in sequence",
                sizes,
                Arrays.stream(sizes).map(size -> Sequence.overhead(16)).toArray(),
                Hue.GREY,
                Stroke.DOTTED);
    Map<Case, Map<Integer, Double>> all = new TreeMap<>();
    for (Case one : Case.values()) {
      Map<Integer, Double> percents = new TreeMap<>();
      for (int workers : scale.published()) {
        double percent = percent(one, scale, workers);
        percents.put(workers, percent);
        progress.accept(
            String.format(
                Locale.ROOT, "  %-44s %,6d workers: %.1f %%", one.label(), workers, percent));
      }
      all.put(one, percents);
      figure.add(
          one.label(),
          sizes,
          percents.values().stream().mapToDouble(percent -> percent).toArray(),
          one.hue,
          one.stroke);
    }
    return new Drawn(table(scale, all), figure::write);
  }

  /**
   * The overhead in percent, summed over several seeds because chance makes single runs longer or
   * shorter.
   */
  private static double percent(Case one, Scale scale, int workers) {
    Scenario scenario =
        one.variant.scenario(LOAD, scale.tasks(one.variant, LOAD, workers), workers);
    double with = 0;
    double without = 0;
    for (long seed = 1; seed <= seeds(workers); seed++) {
      Scenario seeded = scenario.withSeed(seed);
      with += Point.of(seeded.with(one.mode), workers).seconds();
      without += Point.of(seeded.with(Consistency.AT_LEAST_ONCE), workers).seconds();
    }
    return 100 * (with / without - 1);
  }

  private static int seeds(int workers) {
    return Math.clamp(WORKERS_OF_ALL_SEEDS / workers, 2, MOST_SEEDS);
  }

  private static Table table(Scale scale, Map<Case, Map<Integer, Double>> all) {
    List<String> head = new ArrayList<>(List.of("instances", "published", "by arithmetic"));
    all.keySet().forEach(one -> head.add(one.label()));
    head.add("tasks each, original");
    head.add("tasks each, defaults");
    Table table = new Table(head);
    for (int workers : scale.published()) {
      List<String> row = new ArrayList<>();
      row.add(Cells.whole(workers));
      row.add(workers < 10 ? "below 15" : workers == 1024 ? "up to 35" : Cells.NONE);
      row.add(Cells.tenth(Sequence.overhead(16)));
      all.values().forEach(percents -> row.add(Cells.tenth(percents.getOrDefault(workers, 0.0))));
      row.add(Cells.whole(scale.tasks(Variant.ORIGINAL, LOAD, workers)));
      row.add(Cells.whole(scale.tasks(Variant.OURS_TODAY, LOAD, workers)));
      table.row(row);
    }
    return table;
  }
}
