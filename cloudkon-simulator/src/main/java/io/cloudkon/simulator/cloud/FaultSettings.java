package io.cloudkon.simulator.cloud;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The kinds and probabilities of the services' faults. Probabilities are between 0 and 1.
 *
 * @param fates the probabilities of unusual fates for each kind of call; all other calls are
 *     carried out
 * @param lateMicros the maximum delay of a late effect or a second copy, in microseconds
 * @param duplicated the probability that a message is stored twice
 * @param limbo the probability that a deleted message is delivered again
 * @param partial the probability that an entry of a batch is refused transiently
 * @param outages the times at which calls are not carried out
 * @param untilMicros when all faults end, in microseconds
 */
public record FaultSettings(
    Map<Call, Odds> fates,
    long lateMicros,
    double duplicated,
    double limbo,
    double partial,
    List<Outage> outages,
    long untilMicros) {
  /** No faults. */
  public static final FaultSettings NONE = new FaultSettings(Map.of(), 0, 0, 0, 0, List.of(), 0);

  public FaultSettings {
    fates = Map.copyOf(fates);
    outages = List.copyOf(outages);
  }

  /** A copy with other fates. */
  public FaultSettings withFates(Map<Call, Odds> others) {
    return new FaultSettings(others, lateMicros, duplicated, limbo, partial, outages, untilMicros);
  }

  /**
   * The probability of each fate of a call.
   *
   * @param throttled that it is refused, without effect
   * @param answerLost that it is carried out but the caller gets no answer
   * @param copied that it is carried out, and again later
   * @param late that it is carried out after the caller gave up
   * @param retried that it is carried out twice in a row and the caller gets the second answer
   */
  public record Odds(
      double throttled, double answerLost, double copied, double late, double retried) {
    public Odds {
      if (throttled < 0
          || answerLost < 0
          || copied < 0
          || late < 0
          || retried < 0
          || throttled + answerLost + copied + late + retried > 1) {
        throw new IllegalArgumentException("odds that sum up to more than 1, or below 0");
      }
    }

    /** Odds without retries by the SDK. */
    public Odds(double throttled, double answerLost, double copied, double late) {
      this(throttled, answerLost, copied, late, 0);
    }

    /** A copy in which this share of the calls that nothing happens to is retried by the SDK. */
    public Odds withRetried(double share) {
      double left = 1 - throttled - answerLost - copied - late;
      return new Odds(throttled, answerLost, copied, late, Math.max(0, left) * share);
    }
  }

  /** A period during which calls of some kinds fail. */
  public record Outage(long fromMicros, long toMicros, Set<Call> calls) {
    public Outage {
      calls = Set.copyOf(calls);
    }

    boolean hits(Call call, long now) {
      return now >= fromMicros && now < toMicros && calls.contains(call);
    }
  }
}
