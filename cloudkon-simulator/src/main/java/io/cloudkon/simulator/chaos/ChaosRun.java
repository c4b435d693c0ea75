package io.cloudkon.simulator.chaos;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.check.Violation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs the chaos of one seed. */
public final class ChaosRun {
  private ChaosRun() {}

  /**
   * Runs a seed's chaos and checks that every promise was kept. In half of the seeds the SDK also
   * repeats calls by itself, and in a quarter there are long tasks. The same seed always gives the
   * same history.
   *
   * @param trace receives the events, line by line; null for no trace
   * @throws Violation if a promise was broken; its message names the command that reproduces it
   */
  public static Outcome run(long seed, Consistency consistency, @Nullable Consumer<String> trace) {
    return run(
        Chaos.of(seed, consistency).withRetries(seed).withLongTasks(seed),
        command(seed, consistency),
        trace);
  }

  /**
   * Likewise, with HPC jobs, and in half of the seeds with workers that others cannot call; not in
   * at-least-once, which claims jobs like any other tasks.
   *
   * @throws Violation likewise
   */
  public static Outcome runHpc(
      long seed, Consistency consistency, @Nullable Consumer<String> trace) {
    return run(
        GangChaos.of(seed, consistency).withRetries(seed).withShutDoors(seed),
        command(seed, consistency) + " --hpc",
        trace);
  }

  /**
   * Likewise, with a fleet that grows with its queue and shrinks by itself.
   *
   * @throws Violation likewise
   */
  public static Outcome runFleet(
      long seed, Consistency consistency, @Nullable Consumer<String> trace) {
    return run(
        FleetChaos.of(seed, consistency).withRetries(seed),
        command(seed, consistency) + " --fleet",
        trace);
  }

  /**
   * Likewise, with workers that fall sick. No task ends as FAILED because of that unless five of
   * them gave its bundle back.
   *
   * @throws Violation likewise
   */
  public static Outcome runSick(
      long seed, Consistency consistency, @Nullable Consumer<String> trace) {
    return run(
        Chaos.of(seed, consistency).withSickness(seed),
        command(seed, consistency) + " --sick",
        trace);
  }

  /**
   * Likewise, with policies that deny workers and clients necessary calls for a while, or one
   * worker for good.
   *
   * @throws Violation likewise
   */
  public static Outcome runRefused(
      long seed, Consistency consistency, @Nullable Consumer<String> trace) {
    return run(
        Chaos.of(seed, consistency).withRefusals(seed),
        command(seed, consistency) + " --refused",
        trace);
  }

  /**
   * Likewise, in at-most-once with tasks claimed as published: one write for each, at its start.
   *
   * @throws Violation likewise
   */
  public static Outcome runOriginal(long seed, @Nullable Consumer<String> trace) {
    Consistency mode = Consistency.AT_MOST_ONCE;
    return run(
        Chaos.of(seed, mode).asPublished(), command(seed, mode) + " --preset original", trace);
  }

  private static Outcome run(Chaos chaos, String command, @Nullable Consumer<String> trace) {
    Setup setup = trace == null ? chaos.setup() : chaos.setup().withTrace(trace);
    try {
      return Simulation.run(setup, chaos.script());
    } catch (RuntimeException e) {
      Violation told = new Violation("%s; to see it again: %s", e.getMessage(), command);
      told.initCause(e);
      throw told;
    }
  }

  /** The command that reproduces the run, with its trace. */
  public static String command(long seed, Consistency consistency) {
    return "./cloudkon bench simulate --seed %d --consistency %s --trace"
        .formatted(seed, consistency.label());
  }
}
