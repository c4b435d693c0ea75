package io.cloudkon.client.plan;

import io.cloudkon.simulator.cloud.Latencies;

/**
 * Determines the bottleneck of a fleet from its simulation. The first reason that holds is given;
 * reasons that cannot be remedied come before the others. Stateless.
 */
final class BottleneckSearch {
  /** The time for which SQS keeps a message, in seconds. */
  static final double RETENTION_SECONDS = 14 * 86_400;

  /** The efficiency from which on no bottleneck is named. */
  static final double GOOD = 0.9;

  /**
   * The busy share of the time, including ramp-up and tail, from which on a client is saturated.
   */
  private static final double BUSY = 0.7;

  /** The share of refused writes below which they cost little, because they are repeated. */
  private static final double THROTTLED = 0.02;

  /** The share of the time from which on the longest task is the reason. */
  private static final double LONG = 0.6;

  private static final double FEW = 5;
  private static final double RATHER_FEW = 20;
  private static final double SHORT_ROUND_TRIPS = 60;

  private BottleneckSearch() {}

  /** The bottleneck of a fleet with this number of slots. */
  static Bottleneck of(
      WorkloadSize load, PlanSettings question, long slots, double efficiency, Observation seen) {
    double ideal = load.workSeconds() / slots;
    double each = (double) load.tasks() / slots;
    if (seen.makespanSeconds() > RETENTION_SECONDS) {
      return Bottleneck.RETENTION;
    }
    if (load.workSeconds() > 0 && efficiency >= GOOD) {
      return Bottleneck.NONE;
    }
    if (each < 1) {
      return Bottleneck.FEWER_TASKS_THAN_SLOTS;
    }
    if (load.longestSeconds() > ideal && load.longestSeconds() >= LONG * seen.makespanSeconds()) {
      return Bottleneck.LONGEST_TASK;
    }
    if (seen.refusedReceives() > 0) {
      return Bottleneck.IN_FLIGHT;
    }
    if (seen.throttled() >= THROTTLED) {
      return Bottleneck.TABLE_WRITES;
    }
    double sends = seen.sendsBusy(question.threads());
    double collects = seen.collectsBusy(question.threads());
    if (Math.max(sends, collects) >= BUSY) {
      return sends > collects ? Bottleneck.CLIENT_SENDS : Bottleneck.CLIENT_COLLECTS;
    }
    if (each < FEW) {
      return Bottleneck.FEW_TASKS_PER_SLOT;
    }
    if (seen.makespanSeconds() < SHORT_ROUND_TRIPS * roundTripSeconds(question.latencies())) {
      return Bottleneck.SHORT_RUN;
    }
    return each < RATHER_FEW ? Bottleneck.FEW_TASKS_PER_SLOT : Bottleneck.CALLS_PER_BUNDLE;
  }

  /** The time that one bundle's calls take one after the other, from its send to its results. */
  static double roundTripSeconds(Latencies latencies) {
    double sqs = latencies.sqs().medianMicros();
    double receive = latencies.receive().medianMicros();
    return (2 * sqs + 2 * receive + latencies.dynamo().medianMicros()) / 1e6;
  }
}
