package io.cloudkon.simulator.cloud;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The faults of the services, and how often they occur. Probabilities are between 0 and 1.
 *
 * @param fates for a kind of call, what becomes of it other than the usual; the rest is carried out
 * @param lateMicros how late a late effect or a second copy is at most, in microseconds
 * @param duplicated a message is stored twice
 * @param limbo a deleted message is delivered once more
 * @param partial one entry of a batch is refused, in passing
 * @param outages when nothing is carried out
 * @param untilMicros when all of it ends, in microseconds
 */
public record FaultSettings(
    Map<Call, Odds> fates,
    long lateMicros,
    double duplicated,
    double limbo,
    double partial,
    List<Outage> outages,
    long untilMicros) {
  /** Nothing goes wrong. */
  public static final FaultSettings NONE = new FaultSettings(Map.of(), 0, 0, 0, 0, List.of(), 0);

  public FaultSettings {
    fates = Map.copyOf(fates);
    outages = List.copyOf(outages);
  }

  /**
   * How likely each fate of a call is.
   *
   * @param throttled refused, without effect
   * @param answerLost carried out, and the caller does not learn it
   * @param copied carried out, and once more later
   * @param late the caller gives up, and it is carried out after that
   */
  public record Odds(double throttled, double answerLost, double copied, double late) {
    public Odds {
      if (throttled < 0
          || answerLost < 0
          || copied < 0
          || late < 0
          || throttled + answerLost + copied + late > 1) {
        throw new IllegalArgumentException("odds that sum up to more than 1, or below 0");
      }
    }
  }

  /** For a while some calls find nobody. */
  public record Outage(long fromMicros, long toMicros, Set<Call> calls) {
    public Outage {
      calls = Set.copyOf(calls);
    }

    boolean hits(Call call, long now) {
      return now >= fromMicros && now < toMicros && calls.contains(call);
    }
  }
}
