package io.cloudkon.bench.curves;

import io.cloudkon.bench.simulate.Point;
import io.cloudkon.bench.simulate.Scenario;
import io.cloudkon.bench.simulate.TaskTimes;
import io.cloudkon.core.model.Limits;
import io.cloudkon.simulator.report.PublishedStage;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Measures a task's time by stage without a backlog: {@code sleep 0}, 1 client thread and 2 worker
 * threads on each instance, and one batch of ten tasks by each client at a time. With all 16,000
 * tasks of an instance in the queue at once, a task would wait there for a minute, which no
 * published latency includes. Times are in milliseconds.
 */
final class BatchLatency {
  private static final Load LOAD = new Load(2, 1, TaskTimes.always(0), Limits.BATCH, Limits.BATCH);

  private final Map<PublishedStage, Histogram> stages = new EnumMap<>(PublishedStage.class);

  private BatchLatency() {}

  static BatchLatency of(Variant variant, Scale scale, int workers) {
    BatchLatency latency = new BatchLatency();
    Scenario scenario = variant.scenario(LOAD, LOAD.tasks(), workers);
    long tasks = 0;
    for (long seed = 1; tasks < scale.latencyTasks(); seed++) {
      Point point = Point.of(scenario.withSeed(seed), workers);
      tasks += point.tasks();
      for (PublishedStage stage : PublishedStage.values()) {
        latency.add(stage, point.outcome().measures().histogram(stage));
      }
    }
    return latency;
  }

  private void add(PublishedStage stage, Histogram more) {
    Histogram sum = stages.get(stage);
    if (sum == null) {
      stages.put(stage, more.copy());
    } else {
      sum.add(more);
    }
  }

  private Histogram histogram(PublishedStage stage) {
    Histogram histogram = stages.get(stage);
    if (histogram == null) {
      throw new IllegalStateException("no times of " + stage);
    }
    return histogram;
  }

  double mean(PublishedStage stage) {
    return histogram(stage).getMean() / 1000;
  }

  double median(PublishedStage stage) {
    return histogram(stage).getValueAtPercentile(50) / 1000.0;
  }
}
