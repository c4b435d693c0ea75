package io.cloudkon.client.plan;

import io.cloudkon.client.collect.Collector;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.simulator.Outcome;
import io.cloudkon.simulator.cloud.Call;
import io.cloudkon.simulator.cloud.CallCounts;
import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.Latency;
import java.util.Map;
import java.util.TreeMap;

/**
 * The outcome of one simulation. Immutable.
 *
 * @param makespanSeconds from the first send to the last result
 * @param calls by operation: how many, and what is billed
 * @param sends calls by which bundles were sent
 * @param sendSeconds how long the client's threads were at sends, all together
 * @param collectSeconds the same for collecting what was there
 * @param throttled how much of the writes to the table of claims was refused, from 0 to 1
 * @param refusedReceives receives that found too many messages in flight
 */
record Observation(
    double makespanSeconds,
    Map<String, Volume> calls,
    double sends,
    double sendSeconds,
    double collectSeconds,
    double throttled,
    long refusedReceives) {

  /**
   * So many calls, and what is billed of them.
   *
   * @param count how many
   * @param units as in {@link Calls#units}
   */
  record Volume(double count, double units) {
    Volume plus(Volume other) {
      return new Volume(count + other.count, units + other.units);
    }
  }

  /** What an outcome says of this. */
  static Observation of(Outcome outcome, Latencies latencies) {
    CallCounts counts = outcome.calls();
    Map<String, Volume> calls = new TreeMap<>();
    for (Calls some : counts.billed()) {
      calls.merge(some.operation(), new Volume(some.calls(), some.units()), Volume::plus);
    }
    double sends = counts.of(Call.REQUEST_SEND);
    double send = meanSeconds(latencies.sqs());
    // To wait for a result is no work: a receive that found something is, and the deletion.
    double collects = counts.of(Call.RESPONSE_DELETE);
    double writes = counts.of(Call.CLAIM_ACQUIRE) + counts.of(Call.CLAIM_WRITE);
    return new Observation(
        outcome.makespanSeconds(),
        calls,
        sends,
        sends * send,
        collects * (meanSeconds(latencies.receive()) + send),
        counts.throttledByQuota() / Math.max(1, writes),
        outcome.overLimit());
  }

  /** How much of the time so many threads that send were at it, from 0 to 1. */
  double sendsBusy(int threads) {
    return busy(sendSeconds, threads);
  }

  /**
   * How much of the time so many threads that collect, and all their helpers, were at it; 0 to 1.
   */
  double collectsBusy(int threads) {
    return busy(collectSeconds, threads + Collector.MOST_HELPERS);
  }

  private double busy(double seconds, int threads) {
    return Math.min(1, seconds / threads / Math.max(1e-6, makespanSeconds));
  }

  /** The same, where it is known that it cannot be over sooner. */
  Observation atLeast(double seconds) {
    return makespanSeconds >= seconds
        ? this
        : new Observation(
            seconds, calls, sends, sendSeconds, collectSeconds, throttled, refusedReceives);
  }

  private static double meanSeconds(Latency latency) {
    double sigma = latency.sigma();
    return latency.medianMicros() * Math.exp(sigma * sigma / 2) / 1e6;
  }
}
