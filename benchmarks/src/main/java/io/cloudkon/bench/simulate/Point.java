package io.cloudkon.bench.simulate;

import io.cloudkon.core.price.Prices;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.report.PublishedStage;
import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of one fleet. All but the last two is the same whenever the scenario is.
 *
 * @param workers how many there were
 * @param outcome what the simulator saw
 * @param ownMicros the tasks' own time as they state it, in microseconds
 * @param wallSeconds how long the simulation took
 * @param heapBytes how large the heap was at most, garbage included
 */
public record Point(
    int workers, Outcome outcome, long ownMicros, double wallSeconds, long heapBytes) {

  /** Simulates it. */
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

  /** From the begin of the first send to the last result. */
  public double seconds() {
    return outcome.makespanSeconds();
  }

  public double tasksPerSecond() {
    return outcome.tasksPerSecond();
  }

  /** The tasks' own time over the slot-seconds that there were: from 0 to 1. */
  public double efficiency() {
    return ownMicros
        / Math.max(1.0, (double) outcome.measures().makespanMicros() * outcome.slots());
  }

  /** From the begin of its send until the client has its result, at a percentile, in ms. */
  public double latencyMillis(double percentile) {
    return outcome.millis(PublishedStage.TOTAL, percentile);
  }

  public double callsPerTask() {
    return (double) outcome.calls().all() / Math.max(1, tasks());
  }

  /** By list price, in USD. */
  public double usdPerMillionTasks() {
    return Prices.list().cost(outcome.calls().billed()) * 1e6 / Math.max(1, tasks());
  }

  /** The services' limits that were met, in words; empty if none was. */
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

  /** How fast the simulator was: simulated tasks per second of wall time. */
  public double simulatedPerSecond() {
    return tasks() / Math.max(1e-9, wallSeconds);
  }
}
