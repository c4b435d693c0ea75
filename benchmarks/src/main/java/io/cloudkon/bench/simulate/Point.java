package io.cloudkon.bench.simulate;

import io.cloudkon.core.price.Prices;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.report.PublishedStage;
import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of one fleet. All but the last two components are the same for the same scenario.
 *
 * @param workers the number of workers
 * @param outcome the simulator's outcome
 * @param ownMicros the stated run time of all tasks, in microseconds
 * @param wallSeconds how long the simulation took
 * @param heapBytes the peak heap, garbage included
 */
public record Point(
    int workers, Outcome outcome, long ownMicros, double wallSeconds, long heapBytes) {

  /** Simulates a scenario with this number of workers. */
  public static Point of(Scenario scenario, int workers) {
    List<Tasks> load = scenario.load(workers);
    long own = load.stream().mapToLong(Point::ownMicros).sum();
    Heap.forgetPeak();
    long begun = System.nanoTime();
    Outcome outcome = Simulation.run(scenario.setup(workers, load));
    double wall = (System.nanoTime() - begun) / 1e9;
    return new Point(workers, outcome, own, wall, Heap.peak());
  }

  private static long ownMicros(Tasks tasks) {
    long sum = 0;
    for (int i = 0; i < tasks.size(); i++) {
      sum += tasks.micros(i);
    }
    return sum;
  }

  public long tasks() {
    return outcome.tasks();
  }

  /** The time from the start of the first send to the last result. */
  public double seconds() {
    return outcome.makespanSeconds();
  }

  public double tasksPerSecond() {
    return outcome.tasksPerSecond();
  }

  /** The tasks' stated run time divided by the available slot-seconds: from 0 to 1. */
  public double efficiency() {
    return ownMicros
        / Math.max(1.0, (double) outcome.measures().makespanMicros() * outcome.slots());
  }

  /**
   * The time from the start of a task's send until the client has its result, at a percentile, in
   * milliseconds.
   */
  public double latencyMillis(double percentile) {
    return outcome.millis(PublishedStage.TOTAL, percentile);
  }

  public double callsPerTask() {
    return (double) outcome.calls().all() / Math.max(1, tasks());
  }

  /** The price of the calls of a million tasks by list price, in USD. */
  public double usdPerMillionTasks() {
    return Prices.list().cost(outcome.calls().billed()) * 1e6 / Math.max(1, tasks());
  }

  /** Descriptions of the service limits that were reached; empty if none was. */
  public List<String> limits() {
    List<String> met = new ArrayList<>();
    if (outcome.overLimit() > 0) {
      met.add("in flight (%,d receives refused)".formatted(outcome.overLimit()));
    }
    if (outcome.calls().throttledByQuota() > 0) {
      met.add("writes (%,d refused)".formatted(outcome.calls().throttledByQuota()));
    }
    return met;
  }

  /** The speed of the simulator: simulated tasks per second of wall time. */
  public double simulatedPerSecond() {
    return tasks() / Math.max(1e-9, wallSeconds);
  }
}
