package io.cloudkon.simulator.scaling;

import io.cloudkon.core.protocol.provisioning.FleetPlan;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** A simulation with a fleet that grows, and what was seen of the fleet meanwhile. */
final class ScaledRun {
  static final int SECOND = 1_000_000;

  private final ScalingSetup setup;
  private final List<Load> loads;
  private final List<Sample> samples = new ArrayList<>();
  private final List<Decided> decided = new ArrayList<>();
  private Outcome outcome;
  private ScaledFleet fleet;

  /** Somebody submits tasks at a time in seconds. */
  record Load(double atSeconds, Tasks tasks) {}

  /** Each second. */
  record Sample(long second, int live, int existing) {}

  /** Each plan. */
  record Decided(double atSeconds, int wanted, int live, int booting, int launch) {
    int there() {
      return live + booting;
    }
  }

  private ScaledRun(ScalingSetup setup, List<Load> loads) {
    this.setup = setup;
    this.loads = loads;
  }

  /** Runs it, with a provisioner from the begin. */
  static ScaledRun of(long seed, ScalingSetup setup, List<Load> loads) {
    return of(seed, setup, loads, (simulation, fleet) -> fleet.provisioner());
  }

  /**
   * Runs it.
   *
   * @param script what is to happen besides; nobody provisions unless it says so
   */
  static ScaledRun of(
      long seed, ScalingSetup setup, List<Load> loads, BiConsumer<Simulation, ScaledFleet> script) {
    ScaledRun run = new ScaledRun(setup, loads);
    Setup simulated =
        Setup.of(
                seed,
                0,
                WorkerSetup.of(setup.provisioning().slots()),
                loads.stream().map(Load::tasks).toList(),
                CloudSettings.calm(Latencies.TODAY))
            .withLimitMicros(24L * 3600 * SECOND);
    run.outcome =
        Simulation.run(
            simulated,
            simulation -> {
              for (int i = 0; i < loads.size(); i++) {
                if (loads.get(i).atSeconds() > 0) {
                  simulation.startAfter(i, (long) (loads.get(i).atSeconds() * SECOND));
                }
              }
              run.fleet = new ScaledFleet(simulation, setup);
              run.fleet.onPlan(plan -> run.planned(simulation, plan));
              run.sample(simulation);
              script.accept(simulation, run.fleet);
            });
    return run;
  }

  private void planned(Simulation simulation, FleetPlan plan) {
    decided.add(
        new Decided(
            simulation.world().timeline().now() / (double) SECOND,
            plan.fleet().wanted(),
            plan.fleet().live(),
            plan.fleet().booting(),
            plan.launch()));
  }

  private void sample(Simulation simulation) {
    samples.add(
        new Sample(
            simulation.world().timeline().now() / SECOND,
            fleet.live().size(),
            fleet.cloud().instances().existing().size()));
    simulation.world().timeline().in(SECOND, () -> sample(simulation));
  }

  Outcome outcome() {
    return outcome;
  }

  ScaledFleet fleet() {
    return fleet;
  }

  List<Sample> samples() {
    return samples;
  }

  List<Decided> launches() {
    return decided.stream().filter(one -> one.launch() > 0).toList();
  }

  /** The most instances that existed at a time. */
  int most() {
    return samples.stream().mapToInt(Sample::existing).max().orElse(0);
  }

  /** For how many seconds instances existed, all of them together. */
  long paidSeconds() {
    return samples.stream().mapToLong(Sample::existing).sum();
  }

  /** When nothing was left to be done, in seconds. */
  double end() {
    return outcome.endMicros() / (double) SECOND;
  }

  /** How often the number of instances went up after it went down, or down after up. */
  int turns(double fromSeconds, double toSeconds) {
    int turns = 0;
    int direction = 0;
    int before = -1;
    for (Sample sample : samples) {
      if (sample.second() >= fromSeconds && sample.second() < toSeconds) {
        int step = before < 0 ? 0 : Integer.signum(sample.existing() - before);
        turns += step != 0 && direction != 0 && step != direction ? 1 : 0;
        direction = step == 0 ? direction : step;
        before = sample.existing();
      }
    }
    return turns;
  }

  /** Workers that would empty so much work within the target, if they were there at once. */
  int needed(double slotSeconds) {
    double target = 300.0 * setup.provisioning().slots();
    return (int) Math.min(setup.provisioning().max(), Math.ceil(slotSeconds / target));
  }

  /** How long instances took to come up, in seconds, on average. */
  double meanBoot() {
    return fleet.workers().stream()
        .mapToDouble(one ->
            one.worker().bornAt() / (double) SECOND - one.instance().launchedMillis() / 1000.0)
        .average()
        .orElse(0);
  }

  List<Load> loads() {
    return loads;
  }
}
