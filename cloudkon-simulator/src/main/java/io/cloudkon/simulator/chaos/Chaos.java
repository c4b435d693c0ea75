package io.cloudkon.simulator.chaos;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.load.SlowedTasks;
import io.cloudkon.simulator.load.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The chaos of one seed. Immutable.
 *
 * @param setup the simulation's parameters
 * @param script schedules the faults, for {@link Simulation#run(Setup, Consumer)}
 */
public record Chaos(Setup setup, Consumer<Simulation> script) {

  /** The longest pause of a process, in microseconds; all pauses are over before the end. */
  private static final long LONGEST_PAUSE = 60_000_000;

  /** The shortest long task, in microseconds: longer than a lease. */
  private static final long LONG_TASK = 20_000_000;

  /** How often a long task may be tried, if workers die and tries fail. */
  private static final long LONG_TASK_TRIES = 40;

  /**
   * A copy in which workers also fall sick. Uses a random stream of its own, so that all else is
   * drawn as before.
   */
  Chaos withSickness(long seed) {
    return new Chaos(
        setup,
        simulation -> {
          script.accept(simulation);
          new ChaosSickness(simulation, new SplittableRandom(seed ^ 0x51c4)).begin();
        });
  }

  /**
   * A copy in which other workers cannot call some of the workers. Uses a random stream of its own,
   * so that all else is drawn as before.
   */
  public Chaos withShutDoors(long seed) {
    return new Chaos(
        setup,
        simulation -> {
          script.accept(simulation);
          new ShutDoors(simulation, seed, setup.cloud().faults().untilMicros()).begin();
        });
  }

  /**
   * A copy in which, in half of the seeds, the SDK makes a second attempt at a share of the calls
   * that may take effect twice, and the caller gets the answer to the second. Uses a random stream
   * of its own.
   */
  public Chaos withRetries(long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ 0x2e72);
    return random.nextBoolean()
        ? new Chaos(FaultSchedule.withRetries(setup, random.nextDouble() / 2), script)
        : this;
  }

  /**
   * A copy in which, in a quarter of the seeds, one task of each run outlasts leases and what a
   * worker knows of its run. Uses a random stream of its own.
   */
  public Chaos withLongTasks(long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ 0x10f6);
    if (random.nextInt(4) > 0) {
      return this;
    }
    List<Tasks> runs = new ArrayList<>();
    long limit = setup.limitMicros();
    for (Tasks run : setup.runs()) {
      long more = LONG_TASK + random.nextLong(2 * LONG_TASK);
      runs.add(SlowedTasks.one(run, random.nextInt(run.size()), more));
      limit += LONG_TASK_TRIES * more;
    }
    return new Chaos(setup.withRuns(runs).withLimitMicros(limit), script);
  }

  /**
   * A copy in which policies also deny calls of workers and clients. Uses a random stream of its
   * own, so that all else is drawn as before.
   */
  public Chaos withRefusals(long seed) {
    return new Chaos(
        ChaosRefusals.on(setup),
        simulation -> {
          script.accept(simulation);
          new ChaosRefusals(simulation, new SplittableRandom(seed ^ 0xdec11e)).begin();
        });
  }

  /**
   * A copy in which each task has a message of its own and its claim is written once, as published.
   */
  public Chaos asPublished() {
    ClientSetup client = setup.client();
    BundlerSettings usual = client.bundler();
    BundlerSettings single =
        new BundlerSettings(1, usual.targetMillis(), usual.maxBytes(), usual.mayWait());
    return new Chaos(setup.with(client.with(single).with(ClaimScope.ONCE)), script);
  }

  /** The chaos of a seed; always the same for the same seed and mode. */
  public static Chaos of(long seed, Consistency consistency) {
    SplittableRandom random = new SplittableRandom(seed ^ 0xc4a05);
    FaultSchedule weather = FaultSchedule.of(random.split());
    List<ChaosTasks> runs = new ArrayList<>();
    SplittableRandom work = random.split();
    int clients = work.nextInt(3) > 0 ? 1 : 2 + work.nextInt(2);
    for (int i = 0; i < clients; i++) {
      runs.add(ChaosTasks.of(work.split(), consistency));
    }
    ChaosPlan plan = ChaosPlan.of(random.split(), weather, runs);
    if (plan.deserted()) {
      weather = weather.withRetention(plan.client().completeness().resend() + plan.slackMillis());
    }
    Setup setup =
        Setup.of(seed, 0, plan.worker(), List.copyOf(runs), weather.cloud())
            .with(consistency)
            .with(plan.client())
            .withLimitMicros(plan.limitMicros());
    return new Chaos(
        setup,
        simulation -> {
          // Drawn anew each time, so that a chaos can run more than once.
          SplittableRandom drawn = new SplittableRandom(seed ^ 0x5eed);
          simulation.notOverBefore(plan.untilMicros() + LONGEST_PAUSE);
          SplittableRandom outages = new SplittableRandom(seed ^ 0x0a6e);
          new ChaosFleet(simulation, plan, drawn.split(), outages).begin();
          new ChaosClients(simulation, plan, drawn.split()).begin();
          new HiddenQueues(simulation, seed).begin();
        });
  }
}
