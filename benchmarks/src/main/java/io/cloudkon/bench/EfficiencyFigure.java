package io.cloudkon.bench;

import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.SimulatedLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Efficiency with tasks of equal duration: 1, 16 and 128 ms. */
final class EfficiencyFigure implements FigureMeasurement {
  /** One of the three durations. */
  private enum Length {
    MILLIS_1(1, 400),
    MILLIS_16(16, 300, 1, 40, 1024, 40),
    MILLIS_128(128, 80, 1, 88, 1024, 88);

    private final int millis;
    private final int tasks;
    private final double[] published;

    Length(int millis, int tasks, double... published) {
      this.millis = millis;
      this.tasks = tasks;
      this.published = published;
    }
  }

  private final Map<Length, EfficiencyLines> lines = new EnumMap<>(Length.class);

  @Override
  public String name() {
    return "efficiency";
  }

  @Override
  public String what() {
    return "Efficiency with tasks of 1, 16 and 128 ms, 4 worker threads in each worker process";
  }

  @Override
  public List<String> notes(FigureOptions options) {
    List<String> notes = new ArrayList<>();
    notes.add(
        options.workNote(
            "Tasks for each worker process: 400 of 1 ms, 300 of 16 ms, 80 of 128 ms (--tasks sets"
                + " all): some two seconds of work at most, so that begin and end weigh more than"
                + " as published."));
    notes.addAll(EfficiencyLines.notes(options));
    notes.add("Published is less at 1 ms than at 16 ms.");
    return notes;
  }

  @Override
  public boolean original(FigureOptions options) {
    return !options.defaultsOnly;
  }

  @Override
  public void measure(FigureCluster cluster) throws IOException, InterruptedException {
    OptionalDouble bareMillis = EfficiencyLines.bareMillis(cluster);
    for (Length length : Length.values()) {
      int tasks = cluster.tasks(length.tasks, length.millis);
      lines
          .computeIfAbsent(length, any -> new EfficiencyLines())
          .measure(cluster, length.millis + " ms", tasks, i -> length.millis, bareMillis);
    }
  }

  @Override
  public List<FigurePanel> panels(SimulatedLines simulated) throws IOException {
    List<FigurePanel> panels = new ArrayList<>();
    for (Map.Entry<Length, EfficiencyLines> one : lines.entrySet()) {
      Length length = one.getKey();
      panels.add(
          one.getValue()
              .panel(
                  "Efficiency, tasks of %d ms".formatted(length.millis),
                  LinePoints.published("CloudKon, at every size", length.published),
                  simulated.of(
                      "efficiency-homogeneous.csv",
                      length.millis + " ms",
                      SimulatedLines.ORIGINAL,
                      SimulatedLines.DEFAULTS)));
    }
    return panels;
  }
}
