package io.cloudkon.client.report;

import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Histograms of tasks' latencies and stages, in microseconds with three significant digits. Not
 * thread safe.
 */
final class StageTimes {
  private static final int DIGITS = 3;

  private final Histogram latency = new Histogram(DIGITS);
  private final Map<Stage, Histogram> stages = new EnumMap<>(Stage.class);

  StageTimes() {
    for (Stage stage : Stage.values()) {
      stages.put(stage, new Histogram(DIGITS));
    }
  }

  /** Adds the times that {@code tasks} tasks of one bundle share. */
  void acceptShared(BundleTimes times, int tasks) {
    latency.recordValueWithCount(times.latencyMicros(), tasks);
    StageStamps stamps = new StageStamps(times, 0, 0);
    for (Stage stage : Stage.SHARED) {
      at(stage).recordValueWithCount(stage.micros(stamps), tasks);
    }
  }

  /** Adds the times that differ from task to task. */
  void acceptOwn(StageStamps stamps) {
    for (Stage stage : Stage.OWN) {
      at(stage).recordValue(stage.micros(stamps));
    }
  }

  RunReport.Latency latencyMillis() {
    return latency(latency);
  }

  static RunReport.Latency latency(Histogram micros) {
    return new RunReport.Latency(
        millis(micros, 50), millis(micros, 90), millis(micros, 99), micros.getMaxValue() / 1e3);
  }

  SortedMap<Stage, RunReport.Quantiles> stageMillis() {
    SortedMap<Stage, RunReport.Quantiles> quantiles = new TreeMap<>();
    stages.forEach((stage, times) ->
        quantiles.put(
            stage,
            new RunReport.Quantiles(millis(times, 50), millis(times, 90), millis(times, 99))));
    return quantiles;
  }

  private Histogram at(Stage stage) {
    Histogram histogram = stages.get(stage);
    if (histogram == null) {
      throw new IllegalStateException("no histogram of stage " + stage);
    }
    return histogram;
  }

  private static double millis(Histogram histogram, double percentile) {
    return histogram.getTotalCount() == 0 ? 0 : histogram.getValueAtPercentile(percentile) / 1e3;
  }
}
