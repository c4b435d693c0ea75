package io.cloudkon.simulator.chaos;

import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.cloud.Call;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.cloud.FaultSettings.Odds;
import io.cloudkon.simulator.cloud.FaultSettings.Outage;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.Latency;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The faults of the services over time, from none to all kinds at once, until they stop.
 *
 * @param cloud the settings of the services
 * @param calmMicros when the faults stop
 * @param slowMillis the median duration of a call
 */
record FaultSchedule(CloudSettings cloud, long calmMicros, double slowMillis) {
  private static final long SECOND = 1_000_000;

  /**
   * The maximum delay of a late effect. It must be less than the client's grace; otherwise final
   * results can be wrong.
   */
  private static final int LATE_SECONDS = 5;

  private static final int OUTAGE_SECONDS = 20;

  /** Calls that may take effect twice, or after their caller gave up. */
  private static final Set<Call> REPEATABLE =
      EnumSet.of(
          Call.REQUEST_SEND,
          Call.REQUEST_DELETE,
          Call.REQUEST_VISIBILITY,
          Call.RESPONSE_SEND,
          Call.RESPONSE_DELETE,
          Call.CLAIM_ACQUIRE,
          Call.CLAIM_WRITE,
          Call.CLAIM_SURVIVE,
          Call.RUN_WRITE,
          Call.WORKER_WRITE,
          Call.LEDGER_WRITE,
          Call.DECISION_WRITE,
          Call.LAUNCH,
          Call.TERMINATE);

  static FaultSchedule of(SplittableRandom random) {
    long calm = (60 + random.nextInt(61)) * SECOND;
    double slow =
        switch (random.nextInt(6)) {
          case 0 -> 1_000;
          case 1 -> 150;
          default -> 8;
        };
    double sigma = random.nextInt(4) == 0 ? 1.2 : 0.5;
    CloudSettings settings =
        CloudSettings.calm(Latencies.all(new Latency(slow * 1000, sigma)))
            .with(faults(random, calm))
            .withDisorder(1 + random.nextInt(64));
    if (random.nextInt(8) == 0) {
      settings = settings.withInFlight(3 + random.nextInt(10));
    }
    if (random.nextInt(10) == 0) {
      settings = settings.withTableWrites(20 + random.nextInt(100));
    }
    return new FaultSchedule(settings, calm, slow);
  }

  private static FaultSettings faults(SplittableRandom random, long calm) {
    double duplicated = 0;
    double limbo = 0;
    double partial = 0;
    Map<Call, Odds> fates = new EnumMap<>(Call.class);
    switch (random.nextInt(8)) {
      case 0 -> {}
      case 1 -> duplicated = 1;
      case 2 -> limbo = 0.9;
      case 3, 4 -> {
        fates.put(Call.CLAIM_ACQUIRE, new Odds(0.1, 0.25, 0.15, 0.25));
        fates.put(Call.CLAIM_WRITE, new Odds(0.1, 0.25, 0.15, 0.25));
        fates.put(Call.CLAIM_SURVIVE, new Odds(0.1, 0.25, 0.15, 0.25));
      }
      default -> {
        for (Call call : Call.values()) {
          boolean twice = REPEATABLE.contains(call);
          fates.put(call, new Odds(0.08, 0.08, twice ? 0.1 : 0, twice ? 0.04 : 0));
        }
        duplicated = 0.1;
        limbo = 0.1;
        partial = 0.1;
      }
    }
    return new FaultSettings(
        fates,
        1 + random.nextLong(LATE_SECONDS * SECOND),
        duplicated,
        limbo,
        partial,
        outages(random),
        calm);
  }

  private static List<Outage> outages(SplittableRandom random) {
    List<Outage> outages = new ArrayList<>();
    for (int left = Math.max(0, random.nextInt(6) - 3); left > 0; left--) {
      Set<Call> calls = EnumSet.allOf(Call.class);
      int which = random.nextInt(3);
      if (which < 2) {
        calls.removeIf(call -> call.dynamo() == (which == 0));
      }
      long from = random.nextLong(30 * SECOND);
      long length = (1 + random.nextInt(OUTAGE_SECONDS)) * SECOND;
      outages.add(new Outage(from, from + length, calls));
    }
    return outages;
  }

  /** A copy of a setup in which this share of the repeatable calls is retried by the SDK. */
  static Setup withRetries(Setup setup, double share) {
    FaultSettings faults = setup.cloud().faults();
    Map<Call, Odds> fates = new EnumMap<>(Call.class);
    fates.putAll(faults.fates());
    for (Call call : REPEATABLE) {
      Odds before = fates.getOrDefault(call, new Odds(0, 0, 0, 0));
      fates.put(call, before.withRetried(share));
    }
    return setup.with(setup.cloud().with(faults.withFates(fates)));
  }

  /** A copy with other faults. */
  FaultSchedule with(FaultSettings faults) {
    return new FaultSchedule(cloud.with(faults), calmMicros, slowMillis);
  }

  /** A copy with another limit of messages in flight. */
  FaultSchedule withInFlight(int limit) {
    return new FaultSchedule(cloud.withInFlight(limit), calmMicros, slowMillis);
  }

  /** A copy in which messages are kept for this time. */
  FaultSchedule withRetention(long millis) {
    return new FaultSchedule(cloud.withRetentionMillis(millis), calmMicros, slowMillis);
  }
}
