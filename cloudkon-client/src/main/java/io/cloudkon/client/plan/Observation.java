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
 * @param calls the number of calls and the billed units, by operation
 * @param sends the number of calls that sent bundles
 * @param sendSeconds the total time that the client's threads spent on sends
 * @param collectSeconds the total time that they spent on collecting available results
 * @param throttled the share of refused writes to the table of claims, from 0 to 1
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
   * A number of calls and their billed units.
   *
   * @param count the number of calls
   * @param units as in {@link Calls#units}
   */
  record Volume(double count, double units) {
    Volume plus(Volume other) {
      return new Volume(count + other.count, units + other.units);
    }
  }

  /** The observation from a simulation's outcome. */
  static Observation of(Outcome outcome, Latencies latencies) {
    CallCounts counts = outcome.calls();
    Map<String, Volume> calls = new TreeMap<>();
    for (Calls some : counts.billed()) {
      calls.merge(some.operation(), new Volume(some.calls(), some.units()), Volume::plus);
    }
    double sends = counts.of(Call.REQUEST_SEND);
    double send = meanSeconds(latencies.sqs());
    // Waiting for a result is not work; a receive that found something and its deletion are.
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

  /** The share of the time in which this number of sending threads was busy, from 0 to 1. */
  double sendsBusy(int threads) {
    return busy(sendSeconds, threads);
  }

  /**
   * The share of the time in which this number of collecting threads and all their helpers were
   * busy, from 0 to 1.
   */
  double collectsBusy(int threads) {
    return busy(collectSeconds, threads + Collector.MOST_HELPERS);
  }

  private double busy(double seconds, int threads) {
    return Math.min(1, seconds / threads / Math.max(1e-6, makespanSeconds));
  }

  /** The same observation with at least this makespan. */
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
