package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.Latency;
import io.cloudkon.simulator.fleet.WorkerSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A scenario that ran to its end, with one client. One that fails is run again with a trace, which
 * is the same run, as everything comes from the seed.
 */
record Ran(Scenario scenario, Simulation simulation, Outcome outcome) {
  private static final int TRACE_LINES = 400;
  private static final Latencies LATENCIES = Latencies.all(Latency.millis(8, 20));
  private static final long LIMIT = 4L * 3_600_000_000L;

  /** Silence is noticed sooner than by default: the tests turn on other things. */
  private static final ClientSetup CLIENT =
      ClientSetup.DEFAULT.with(
          new CompletenessSettings(
              CompletenessSettings.DEFAULT.grace(),
              CompletenessSettings.DEFAULT.former(),
              15_000,
              CompletenessSettings.DEFAULT.resend(),
              CompletenessSettings.DEFAULT.margin()));

  /** Runs it in a calm cloud. */
  static Ran calm(Scenario scenario, long seed, String title, Consumer<Simulation> script) {
    return of(scenario, seed, FaultSettings.NONE, title, script);
  }

  /** Runs it. */
  static Ran of(
      Scenario scenario,
      long seed,
      FaultSettings faults,
      String title,
      Consumer<Simulation> script) {
    return of(scenario, setup(scenario, seed, faults), title, script);
  }

  /** What {@link #of} runs. */
  static Setup setup(Scenario scenario, long seed, FaultSettings faults) {
    return Setup.of(
            seed,
            0,
            WorkerSetup.of(2),
            List.of(scenario),
            CloudSettings.calm(LATENCIES).with(faults))
        .with(scenario.consistency())
        .with(CLIENT.with(bundlesOf(scenario.bundle())))
        .withLimitMicros(LIMIT);
  }

  /** Runs it as set up. */
  static Ran of(Scenario scenario, Setup setup, String title, Consumer<Simulation> script) {
    try {
      return run(scenario, setup, script);
    } catch (RuntimeException e) {
      throw new AssertionError(
          "%s, %s, seed %d, %s: %s%n%s"
              .formatted(
                  scenario.name(),
                  scenario.consistency().label(),
                  setup.seed(),
                  title,
                  e,
                  trace(scenario, setup, script)),
          e);
    }
  }

  private static BundlerSettings bundlesOf(int tasks) {
    return new BundlerSettings(
        tasks, BundlerSettings.DEFAULT.targetMillis(), BundlerSettings.DEFAULT.maxBytes(), true);
  }

  private static Ran run(Scenario scenario, Setup setup, Consumer<Simulation> script) {
    List<Simulation> simulations = new ArrayList<>();
    Outcome outcome =
        Simulation.run(
            setup,
            simulation -> {
              simulations.add(simulation);
              script.accept(simulation);
            });
    return new Ran(scenario, simulations.getFirst(), outcome);
  }

  private static String trace(Scenario scenario, Setup setup, Consumer<Simulation> script) {
    List<String> lines = new ArrayList<>();
    try {
      Ran unused = run(scenario, setup.withTrace(lines::add), script);
    } catch (RuntimeException expected) {
      lines.add(expected.toString());
    }
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TRACE_LINES), lines.size()));
  }

  /** Something that happens so many milliseconds from now. */
  static void in(Simulation simulation, long millis, Runnable what) {
    simulation.world().timeline().in(millis * 1000, what);
  }

  /** How many tasks ended so. */
  long count(TaskStatus status) {
    return outcome.measures().count(status);
  }

  /** How often a task started. */
  int startsOf(int ordinal) {
    return simulation.world().witness().startsOf(simulation.simRun(0), ordinal);
  }

  /** How many messages are among the dead letters. */
  int deadLetters() {
    return simulation.world().cloud().dead().waiting();
  }

  /** When the last result was there, in virtual milliseconds. */
  long lastResultMillis() {
    return outcome.measures().makespanMicros() / 1000;
  }
}
