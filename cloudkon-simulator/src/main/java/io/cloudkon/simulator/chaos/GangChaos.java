package io.cloudkon.simulator.chaos;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.fleet.WorkerSetup;
import java.util.List;
import java.util.SplittableRandom;

/** The chaos of one seed with HPC jobs: gangs on a fleet that hardly holds the largest of them. */
public final class GangChaos {
  private static final long MINUTE = 60_000_000;
  private static final int MOST_WORKERS = 4;
  private static final int MOST_SLOTS = 4;

  /** The longest pause of a process, in microseconds; all pauses are over before the end. */
  private static final long LONGEST_PAUSE = MINUTE;

  private GangChaos() {}

  /** The chaos of a seed; always the same for the same seed and mode. */
  public static Chaos of(long seed, Consistency consistency) {
    SplittableRandom random = new SplittableRandom(seed ^ 0x6a46);
    FaultSchedule drawn = FaultSchedule.of(random.split());
    // All offers of a gang must be able to be in flight together.
    FaultSchedule weather = drawn.withInFlight(CloudSettings.IN_FLIGHT);
    int workers = 1 + random.nextInt(MOST_WORKERS);
    int slots = 1 + random.nextInt(MOST_SLOTS);
    GangTasks tasks = GangTasks.of(random.split(), consistency, workers * slots);
    WorkerSetup.GangTimes times =
        new WorkerSetup.GangTimes(
            weather.slowMillis() < 500 && random.nextBoolean() ? 3_000 : 10_000,
            random.nextBoolean() ? 60_000 : 5_000,
            2_000);
    long until = weather.calmMicros();
    // A job may wait several times: for patience, for gangs that do not fill, and for leases.
    long limit = until + 60 * MINUTE + 10 * tasks.workMicros();
    ChaosPlan plan =
        new ChaosPlan(
            ClientSetup.DEFAULT, WorkerSetup.of(slots).with(times), 0, false, until, limit);
    Setup setup =
        Setup.of(seed, 0, plan.worker(), List.of(tasks), weather.cloud())
            .with(consistency)
            .with(plan.client())
            .withLimitMicros(plan.limitMicros());
    return new Chaos(
        setup,
        simulation -> {
          SplittableRandom fleet = new SplittableRandom(seed ^ 0x5eed6a);
          simulation.notOverBefore(plan.untilMicros() + LONGEST_PAUSE);
          new GangFleet(simulation, plan, workers, fleet.split()).begin();
          new ChaosClients(simulation, plan, fleet.split()).begin();
          new HiddenQueues(simulation, seed).begin();
        });
  }
}
