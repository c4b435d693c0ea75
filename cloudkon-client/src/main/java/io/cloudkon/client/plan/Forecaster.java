package io.cloudkon.client.plan;

import io.cloudkon.core.price.Prices;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/** Forecasts fleets for one workload; each is simulated once. Used by one thread. */
final class Forecaster {
  private final WorkloadSize load;
  private final PlanSettings question;
  private final Prices prices;
  private final IntConsumer begins;
  private final TreeMap<Integer, Forecast> known = new TreeMap<>();

  /**
   * For one workload.
   *
   * @param begins receives the number of workers of each fleet before it is simulated
   */
  Forecaster(WorkloadSize load, PlanSettings question, Prices prices, IntConsumer begins) {
    this.load = load;
    this.question = question;
    this.prices = prices;
    this.begins = begins;
  }

  WorkloadSize load() {
    return load;
  }

  PlanSettings question() {
    return question;
  }

  /** A forecaster for the same workload with other settings. */
  Forecaster asking(PlanSettings other) {
    return new Forecaster(load, other, prices, begins);
  }

  /** The forecast for this number of workers. */
  Forecast of(int workers) {
    Forecast before = known.get(workers);
    if (before == null) {
      begins.accept(workers);
      before = forecast(workers, new Simulator(question).run(load, workers));
      known.put(workers, before);
    }
    return before;
  }

  private Forecast forecast(int workers, Simulated simulated) {
    long slots = (long) workers * question.instance().slots();
    double least = Math.max(load.workSeconds() / slots, load.longestSeconds());
    Observation seen = simulated.seen().atLeast(least);
    double seconds = Math.max(1e-6, seen.makespanSeconds());
    double efficiency = Math.min(1, load.workSeconds() / (seconds * slots));
    return new Forecast(
        workers,
        slots,
        seen.makespanSeconds(),
        efficiency,
        load.tasks() / seconds,
        Bill.of(seen, load, workers, question, prices),
        BottleneckSearch.of(load, question, slots, efficiency, seen),
        new Simulated(seen, simulated.tasks(), simulated.shortened()));
  }
}
