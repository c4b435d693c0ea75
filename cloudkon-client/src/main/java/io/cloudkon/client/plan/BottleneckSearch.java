package io.cloudkon.client.plan;

import io.cloudkon.simulator.cloud.Latencies;

/**
 * Decides from what a simulation showed what limits a fleet. The first reason that holds is given,
 * those that nothing can be done about before the others. Stateless.
 */
final class BottleneckSearch {
  /** How long SQS keeps a message, in seconds. */
  static final double RETENTION_SECONDS = 14 * 86_400;

  /** With this efficiency there is nothing to explain. */
  static final double GOOD = 0.9;

  /** Who is busy for this part of the time, tails and ramps included, can do no more. */
  private static final double BUSY = 0.7;

  /** Refused writes are repeated: fewer than this part cost little. */
  private static final double THROTTLED = 0.02;

  /** Where the longest task takes this part of the time, it is the reason. */
  private static final double LONG = 0.6;

  private static final double FEW = 5;
  private static final double RATHER_FEW = 20;
  private static final double SHORT_ROUND_TRIPS = 60;

  private BottleneckSearch() {}

  /** What limits a fleet with so many slots. */
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

  /** What one bundle's calls take from its send to its results, one after the other. */
  static double roundTripSeconds(Latencies latencies) {
    double sqs = latencies.sqs().medianMicros();
    double receive = latencies.receive().medianMicros();
    return (2 * sqs + 2 * receive + latencies.dynamo().medianMicros()) / 1e6;
  }
}
