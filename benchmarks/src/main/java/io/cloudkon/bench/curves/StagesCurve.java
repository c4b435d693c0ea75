package io.cloudkon.bench.curves;

import io.cloudkon.bench.plot.Bars;
import io.cloudkon.bench.plot.Figure.Hue;
import io.cloudkon.simulator.report.PublishedStage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A task's median time by stage; see {@link BatchLatency} for the load. */
final class StagesCurve implements Curve {
  private static final List<PublishedStage> SHOWN =
      List.of(
          PublishedStage.SEND,
          PublishedStage.QUEUE,
          PublishedStage.RECEIVE,
          PublishedStage.CLAIM,
          PublishedStage.WORKER,
          PublishedStage.REPLY,
          PublishedStage.RESULT_QUEUE,
          PublishedStage.COLLECT);

  private static final Map<PublishedStage, Double> PUBLISHED =
      Map.of(PublishedStage.CLAIM, 8.0, PublishedStage.WORKER, 16.0);

  @Override
  public String name() {
    return "stages";
  }

  @Override
  public String what() {
    return "ms at the median by stage, on the largest fleet of which figures are published";
  }

  @Override
  public Drawn draw(Scale scale, Consumer<String> progress) {
    int workers = scale.largestPublished();
    Map<Variant, BatchLatency> all = new EnumMap<>(Variant.class);
    for (Variant variant : Variant.COMPARED) {
      BatchLatency latency = BatchLatency.of(variant, scale, workers);
      all.put(variant, latency);
      progress.accept(
          String.format(
              Locale.ROOT,
              "  %-30s %,6d workers: worker %.1f ms, claim %.1f ms",
              variant.label(),
              workers,
              latency.median(PublishedStage.WORKER),
              latency.median(PublishedStage.CLAIM)));
    }
    Bars bars =
        new Bars(
            "Latency by stage at the median, sleep 0, %,d instances".formatted(workers),
            "ms",
            SHOWN.stream().map(StagesCurve::label).toList());
    bars.add("published", heights(PUBLISHED::get), Hue.BLACK);
    for (Map.Entry<Variant, BatchLatency> one : all.entrySet()) {
      bars.add(
          one.getKey().label(), heights(stage -> one.getValue().median(stage)), hue(one.getKey()));
    }
    return new Drawn(table(all), bars::write);
  }

  /** The colour of a variant; all differ, because bars have no strokes to tell them apart. */
  private static Hue hue(Variant variant) {
    return switch (variant) {
      case ORIGINAL -> Hue.ORANGE;
      case OURS_THEN -> Hue.PURPLE;
      case OURS_TODAY, OURS_RAISED -> Hue.BLUE;
    };
  }

  private interface Height {
    @Nullable Double of(PublishedStage stage);
  }

  private static List<@Nullable Double> heights(Height height) {
    List<@Nullable Double> heights = new ArrayList<>();
    for (PublishedStage stage : SHOWN) {
      heights.add(height.of(stage));
    }
    return Collections.unmodifiableList(heights);
  }

  private static String label(PublishedStage stage) {
    return stage.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static Table table(Map<Variant, BatchLatency> all) {
    List<String> head = new ArrayList<>(List.of("stage", "published"));
    all.keySet().forEach(variant -> head.add(variant.label()));
    Table table = new Table(head);
    SHOWN.forEach(stage -> table.row(row(stage, all)));
    // Only in the table, because beside the total the bars of the stages would be too low to read.
    table.row(row(PublishedStage.TOTAL, all));
    return table;
  }

  private static List<String> row(PublishedStage stage, Map<Variant, BatchLatency> all) {
    Double published = PUBLISHED.get(stage);
    List<String> row = new ArrayList<>();
    row.add(label(stage));
    row.add(published == null ? Cells.NONE : Cells.whole(published));
    all.values().forEach(latency -> row.add(Cells.tenth(latency.median(stage))));
    return row;
  }
}
