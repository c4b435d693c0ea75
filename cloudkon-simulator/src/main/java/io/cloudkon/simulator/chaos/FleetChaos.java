package io.cloudkon.simulator.chaos;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.BootSettings;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.scaling.ScaledFleet;
import io.cloudkon.simulator.scaling.ScalingSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The chaos of one seed with a fleet that grows with its queue to up to eight workers and shrinks
 * by itself.
 */
public final class FleetChaos {
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final int MOST_WORKERS = 8;
  private static final int MOST_SLOTS = 3;
  private static final int MOST_RUNS = 3;

  /** Failed launches stop further ones for ten minutes, possibly several times. */
  private static final long PATIENCE = 180 * MINUTE;

  /** The longest pause of a process, in microseconds; all pauses are over before the end. */
  private static final long LONGEST_PAUSE = MINUTE;

  private FleetChaos() {}

  /** The chaos of a seed; always the same for the same seed and mode. */
  public static Chaos of(long seed, Consistency consistency) {
    SplittableRandom random = new SplittableRandom(seed ^ 0xf1ee7);
    FaultSchedule drawn = FaultSchedule.of(random.split());
    boolean jobs = consistency.claims() && random.nextInt(4) == 0;
    FleetFaults faults = FleetFaults.of(new SplittableRandom(seed ^ 0xfa175));
    FaultSchedule weather = faults.on(jobs ? drawn.withInFlight(CloudSettings.IN_FLIGHT) : drawn);
    ScalingSetup scaling = faults.on(scaling(random.split(), weather, jobs));
    int mostSlots =
        scaling.provisioning().max() * scaling.provisioning().slots() + faults.slotsByHand();
    List<Tasks> runs = new ArrayList<>();
    SplittableRandom work = random.split();
    long millis = 0;
    for (int left = 1 + work.nextInt(MOST_RUNS); left > 0; left--) {
      if (jobs) {
        GangTasks tasks = GangTasks.of(work.split(), consistency, mostSlots);
        millis += tasks.workMicros() / 1000;
        runs.add(tasks);
      } else {
        ChaosTasks tasks = ChaosTasks.of(work.split(), consistency);
        millis += tasks.workMicros() / 1000;
        runs.add(tasks);
      }
    }
    long until = weather.calmMicros();
    ChaosPlan plan =
        new ChaosPlan(
            ClientSetup.DEFAULT,
            scaling.worker(),
            0,
            false,
            until,
            until + PATIENCE + 10_000 * millis);
    Setup setup =
        Setup.of(seed, 0, plan.worker(), runs, weather.cloud())
            .with(consistency)
            .with(plan.client())
            .withLimitMicros(plan.limitMicros());
    return new Chaos(
        setup,
        simulation -> {
          SplittableRandom drawnAnew = new SplittableRandom(seed ^ 0x5eedf1ee);
          long pause = faults.hangs() ? FleetFaults.HANG_MICROS : LONGEST_PAUSE;
          simulation.notOverBefore(plan.untilMicros() + pause);
          for (int i = 1; i < runs.size(); i++) {
            simulation.startAfter(i, drawnAnew.nextLong(plan.untilMicros()));
          }
          ScaledFleet fleet = new ScaledFleet(simulation, scaling);
          if (weather.slowMillis() > 500) {
            fleet.slowCalls();
          }
          if (faults.hangs()) {
            fleet.pausesUpTo(FleetFaults.HANG_MICROS);
          }
          if (weather.slowMillis() < 100) {
            fleet.launches().countWorkersByHand();
          }
          SplittableRandom besides = new SplittableRandom(seed ^ 0xbe51de5);
          new LaunchedFleet(simulation, fleet, plan, faults, drawnAnew.split(), besides.split())
              .begin();
          new ManualWorkers(simulation, fleet, plan, besides.split()).begin(faults.byHand());
          new ChaosProvisioners(simulation, fleet, plan, drawnAnew.split()).begin();
          new ChaosClients(simulation, plan, drawnAnew.split()).begin();
          new HiddenQueues(simulation, seed).begin();
        });
  }

  private static ScalingSetup scaling(
      SplittableRandom random, FaultSchedule weather, boolean jobs) {
    int max = 1 + random.nextInt(MOST_WORKERS);
    int min = Math.min(max, random.nextInt(3));
    int slots = 1 + random.nextInt(MOST_SLOTS);
    long mostBoot = (3 + random.nextInt(28)) * SECOND;
    ProvisioningSettings provisioning =
        new ProvisioningSettings(
            random.nextInt(4) == 0
                ? new Policy.Growth(random.nextInt(3), 1 + random.nextInt(3))
                : new Policy.DrainTime(5_000 + random.nextInt(60_000)),
            min,
            max,
            slots,
            WorkerTakes.ALL,
            1_000 + random.nextInt(4_000),
            40_000 + random.nextInt(30_000),
            random.nextInt(4) == 0 ? random.nextInt(10_000) : 0,
            Double.POSITIVE_INFINITY,
            0);
    long idle = 3_000L + random.nextInt(20_000);
    WorkerSetup.Lifetime lifetime =
        new WorkerSetup.Lifetime(
            WorkerOrigin.BY_HAND, idle, random.nextInt(30_000), LeaseSettings.DEFAULT);
    WorkerSetup worker = WorkerSetup.of(slots).with(lifetime);
    return new ScalingSetup(
        provisioning,
        LeaseSettings.DEFAULT,
        jobs ? worker.with(gangs(random, weather)) : worker,
        boots(random, mostBoot, provisioning, weather),
        random.nextBoolean() ? 0 : random.nextLong(MINUTE));
  }

  private static WorkerSetup.GangTimes gangs(SplittableRandom random, FaultSchedule weather) {
    return new WorkerSetup.GangTimes(
        weather.slowMillis() < 500 && random.nextBoolean() ? 3_000 : 10_000,
        random.nextBoolean() ? 60_000 : 5_000,
        2_000);
  }

  private static BootSettings boots(
      SplittableRandom random, long most, ProvisioningSettings of, FaultSchedule weather) {
    boolean well = random.nextInt(3) == 0;
    long lateBy = 1000 * of.bootTimeout() / 2;
    return well
        ? BootSettings.of(most / 4, most)
        : new BootSettings(
            most / 4,
            most,
            random.nextInt(3) * 0.2,
            random.nextInt(3) * 0.3,
            random.nextInt(3) * 0.1,
            random.nextInt(3) * 0.1,
            lateBy,
            random.nextInt(3) * 0.1,
            random.nextInt(2) * 20L * SECOND,
            0,
            false,
            weather.calmMicros());
  }
}
