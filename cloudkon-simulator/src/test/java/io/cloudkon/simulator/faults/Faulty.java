package io.cloudkon.simulator.faults;

import io.cloudkon.simulator.cloud.Call;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.cloud.FaultSettings.Odds;
import io.cloudkon.simulator.cloud.FaultSettings.Outage;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Faults by their names. */
final class Faulty {
  private static final long SECOND = 1_000_000;
  private static final long LATE = 3 * SECOND;

  /** When a fault that is not an outage ends. */
  static final long UNTIL = 30 * SECOND;

  private Faulty() {}

  /** Each of these calls meets these odds. */
  static FaultSettings odds(Set<Call> calls, Odds odds) {
    Map<Call, Odds> fates = new EnumMap<>(Call.class);
    calls.forEach(call -> fates.put(call, odds));
    return new FaultSettings(fates, LATE, 0, 0, 0, List.of(), UNTIL);
  }

  /** Every message is stored twice. */
  static FaultSettings everyMessageTwice() {
    return new FaultSettings(Map.of(), LATE, 1, 0, 0, List.of(), UNTIL);
  }

  /** Every message that was deleted comes once more. */
  static FaultSettings everyMessageReplayed() {
    return new FaultSettings(Map.of(), LATE, 0, 1, 0, List.of(), UNTIL);
  }

  /** These calls find nobody for twenty seconds. */
  static FaultSettings outage(Set<Call> calls, long fromMillis) {
    Outage outage = new Outage(fromMillis * 1000, fromMillis * 1000 + 20 * SECOND, calls);
    return new FaultSettings(Map.of(), LATE, 0, 0, 0, List.of(outage), UNTIL);
  }

  /** Everything at once: about one call in five fails. */
  static FaultSettings storm(long untilSeconds) {
    Map<Call, Odds> fates = new EnumMap<>(Call.class);
    for (Call call : Call.values()) {
      fates.put(call, new Odds(0.08, 0.08, 0.1, 0.04));
    }
    return new FaultSettings(fates, LATE, 0.1, 0.1, 0.1, List.of(), untilSeconds * SECOND);
  }

  /** What DynamoDB answers. */
  static Set<Call> dynamo() {
    Set<Call> calls = EnumSet.allOf(Call.class);
    calls.removeIf(call -> !call.dynamo());
    return calls;
  }

  /** The same faults, except that calls of this kind are carried out and answered. */
  static FaultSettings without(Call call, FaultSettings of) {
    Map<Call, Odds> fates = new EnumMap<>(of.fates());
    fates.remove(call);
    return new FaultSettings(
        fates,
        of.lateMicros(),
        of.duplicated(),
        of.limbo(),
        of.partial(),
        of.outages(),
        of.untilMicros());
  }

  /** What SQS answers. */
  static Set<Call> sqs() {
    return EnumSet.range(Call.REQUEST_SEND, Call.RESPONSE_DELETE);
  }
}
