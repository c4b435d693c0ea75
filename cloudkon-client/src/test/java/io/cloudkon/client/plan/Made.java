package io.cloudkon.client.plan;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.price.InstanceType;
import io.cloudkon.core.price.InstanceTypes;
import io.cloudkon.core.price.Prices;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.simulator.cloud.Latencies;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Loads, questions and forecasts for tests. */
final class Made {
  static final Prices PRICES = new Prices("2026-01-01", "r", 1, 2, 3, 4, 5);
  static final InstanceType TYPE = new InstanceType("x.large", 3.6, 4);
  static final InstanceTypes TYPES =
      new InstanceTypes("2026-01-01", "us-east-1", Map.of("x.large", TYPE));

  private Made() {}

  static PlanSettings question() {
    return question(60);
  }

  static PlanSettings question(long idleSeconds) {
    return new PlanSettings(
        TYPE,
        2,
        BundlerSettings.DEFAULT,
        Consistency.EXACTLY_ONCE,
        ClaimScope.BUNDLE,
        Latencies.TODAY,
        idleSeconds,
        1);
  }

  /** Sleeps that all take as long, of which some are kept. */
  static WorkloadSize sleeps(long tasks, int kept, long millis) {
    Prototypes works = new Prototypes();
    int number = works.numberOf(new Task(0, "1", new Work.Sleep(millis), 0));
    int[] numbers = new int[kept];
    long[] took = new long[kept];
    Arrays.fill(numbers, number);
    Arrays.fill(took, millis * 1000);
    return new WorkloadSize(
        "tasks.txt",
        tasks,
        0,
        tasks * millis / 1e3,
        millis / 1e3,
        0,
        new SampledTasks(works, numbers, took, 1));
  }

  static WorkloadSize sleeps(int tasks, long millis) {
    return sleeps(tasks, tasks, millis);
  }

  /** A load of which only the numbers matter. */
  static WorkloadSize load(long tasks, double workSeconds, double longestSeconds) {
    WorkloadSize none = sleeps(1, 1);
    return new WorkloadSize("tasks.txt", tasks, 0, workSeconds, longestSeconds, 0, none.sample());
  }

  /** Nothing but time passed. */
  static Observation seen(double makespanSeconds) {
    return new Observation(makespanSeconds, Map.of(), 0, 0, 0, 0, 0);
  }

  static Forecast forecast(int workers, double makespanSeconds, double usd, Bottleneck limit) {
    Observation seen = new Observation(makespanSeconds, Map.of(), 10, 1.5, 1, 0.25, 7);
    return new Forecast(
        workers,
        4L * workers,
        makespanSeconds,
        0.5,
        100,
        new Bill(Map.of(), usd / 4, usd / 4, 0, 120, usd / 2),
        limit,
        new Simulated(seen, 1000, false));
  }

  static WorkloadPlan plan(
      WorkloadSize load, WorkloadPlan.@Nullable Target goal, Forecast... fleets) {
    return new WorkloadPlan(load, question(), TYPES, "", List.of(fleets), goal, Optional.empty());
  }

  static WorkloadPlan plan(Forecast... fleets) {
    return plan(load(1000, 500, 0.5), null, fleets);
  }
}
