package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.cloud.Call;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.cloud.FaultSettings.Odds;
import io.cloudkon.simulator.cloud.FaultSettings.Outage;
import io.cloudkon.simulator.scaling.ScalingSetup;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The faults of a growing fleet, in addition to those of all workers. Half of the seeds have none.
 *
 * @param byHand the slots of each worker that is started manually, in addition to the launched ones
 * @param affordable the number of launched workers that the price limit allows; 0 for any number
 * @param shortLived whether many workers die within seconds after they came up
 * @param hangs whether some workers are stopped for so long that they are terminated
 * @param endMicros how long a terminated instance takes to end
 * @param protects whether some instances are protected, so that nobody can end them while faults
 *     last
 * @param away when the tables become unreachable, in microseconds; 0 for never
 * @param awayFor for how long they are unreachable: longer than a worker's entry counts as alive
 */
record FleetFaults(
    List<Integer> byHand,
    int affordable,
    boolean shortLived,
    boolean hangs,
    long endMicros,
    boolean protects,
    long away,
    long awayFor) {
  /** The maximum time that a worker hangs. */
  static final long HANG_MICROS = 250_000_000;

  private static final FleetFaults NONE =
      new FleetFaults(List.of(), 0, false, false, 0, false, 0, 0);
  private static final long SECOND = 1_000_000;
  private static final int MOST_SLOTS = 8;

  /** A worker's entry counts as alive for 20 s. */
  private static final long AWAY_MICROS = 21 * SECOND;

  static FleetFaults of(SplittableRandom random) {
    if (random.nextBoolean()) {
      return NONE;
    }
    List<Integer> byHand = random.ints(random.nextInt(3), 1, MOST_SLOTS + 1).boxed().toList();
    boolean hangs = random.nextInt(3) == 0;
    int affordable = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0;
    boolean shortLived = random.nextInt(4) == 0;
    long endMicros = hangs ? random.nextLong(120 * SECOND) : 0;
    long away = random.nextInt(3) == 0 ? (8 + random.nextLong(30)) * SECOND : 0;
    long awayFor = AWAY_MICROS + random.nextLong(AWAY_MICROS);
    boolean protects = random.nextInt(3) == 0; // last, so that the seeds keep their other faults
    return new FleetFaults(
        byHand, affordable, shortLived, hangs, endMicros, protects, away, awayFor);
  }

  int slotsByHand() {
    return byHand.stream().mapToInt(Integer::intValue).sum();
  }

  /** Applies the price limit of provisioners and the ends of instances to a setup. */
  ScalingSetup on(ScalingSetup drawn) {
    int workers = Math.max(drawn.provisioning().min(), affordable);
    ScalingSetup limited = affordable == 0 ? drawn : drawn.withAffordable(workers);
    return limited.with(limited.boots().withEnds(endMicros, protects));
  }

  /**
   * Makes the tables unreachable once. If manual workers must be seen, removes the other faults
   * that would silence them.
   */
  FaultSchedule on(FaultSchedule drawn) {
    FaultSettings faults = drawn.cloud().faults();
    Map<Call, Odds> fates = new EnumMap<>(Call.class);
    fates.putAll(faults.fates());
    if (!byHand.isEmpty()) {
      fates.remove(Call.WORKER_WRITE);
    }
    boolean alone = away > 0 || !byHand.isEmpty();
    return drawn.with(
        new FaultSettings(
            fates,
            faults.lateMicros(),
            faults.duplicated(),
            faults.limbo(),
            faults.partial(),
            alone ? outages() : faults.outages(),
            faults.untilMicros()));
  }

  private List<Outage> outages() {
    Set<Call> calls = EnumSet.allOf(Call.class);
    calls.removeIf(call -> !call.dynamo());
    return away == 0 ? List.of() : List.of(new Outage(away, away + awayFor, calls));
  }
}
