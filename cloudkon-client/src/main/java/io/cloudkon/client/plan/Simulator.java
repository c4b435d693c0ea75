package io.cloudkon.client.plan;

import io.cloudkon.simulator.Setup;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.client.ClientSetup;
import io.cloudkon.simulator.cloud.CloudSettings;
import io.cloudkon.simulator.fleet.WorkerSetup;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Simulates one client's run on a fleet whose workers are there from the start, with AWS's quotas
 * and without failures. A run that would take too long to simulate is simulated in part and
 * extrapolated.
 */
final class Simulator {
  /** The maximum number of simulated tasks if there are few slots. */
  static final int MOST_TASKS = 100_000;

  /**
   * The minimum number of simulated tasks per slot, so that the beginning and the end do not
   * outweigh the part between them.
   */
  private static final int LEAST_TASKS_PER_SLOT = 10;

  /** The size of the second, smaller simulation relative to the first. */
  private static final double SMALLER = 0.3;

  private static final double MOST_EVENTS = 1e6;
  private static final double EVENTS_PER_TASK = 8;

  /** A worker's ticks, and the renewals of what it holds, per second of a slot. */
  private static final double EVENTS_PER_SLOT_SECOND = 7;

  /** The mean duration from which on a simulated worker ticks less often. */
  private static final double LONG_SECONDS = 10;

  private static final double EVENTS_PER_LONG_SLOT_SECOND = 3;
  private static final long LONG_TICK_MICROS = 500_000;

  /** The mean below which durations are not shrunk, so that leases are renewed as in a full run. */
  private static final double SHRUNK_SECONDS = 10;

  private final PlanSettings question;

  Simulator(PlanSettings question) {
    this.question = question;
  }

  /** Simulates the workload on a fleet. */
  Simulated run(WorkloadSize load, int workers) {
    SplittableRandom random = new SplittableRandom(question.seed());
    int count = tasks(load, workers);
    double shrink = shrink(load, count);
    SampledTasks tasks = load.sample().some(count, random.split());
    Observation seen = lengthened(tasks, shrink, load, workers);
    if (tasks.size() < load.tasks()) {
      int few = (int) Math.ceil(SMALLER * tasks.size());
      SampledTasks fewer = tasks.some(few, random.split());
      double part = (double) few / tasks.size();
      double all = (double) load.tasks() / tasks.size();
      seen = Extrapolation.to(all, part, seen, lengthened(fewer, shrink, load, workers));
    }
    return new Simulated(seen, tasks.size(), shrink < 1);
  }

  /** Simulates tasks with shrunk durations and extrapolates to their full durations. */
  private Observation lengthened(
      SampledTasks tasks, double shrink, WorkloadSize load, int workers) {
    if (shrink == 1) {
      return observe(tasks, load, workers);
    }
    SampledTasks shorter = tasks.shrunk(shrink);
    return Extrapolation.to(
        1 / shrink,
        0.5,
        observe(shorter, load, workers),
        observe(shorter.shrunk(0.5), load, workers));
  }

  private Observation observe(SampledTasks tasks, WorkloadSize load, int workers) {
    ClientSetup client =
        new ClientSetup(
            question.threads(),
            question.bundler(),
            ClientSetup.DEFAULT.completeness(),
            ClientSetup.DEFAULT.lease(),
            question.claim());
    WorkerSetup usual = WorkerSetup.of(question.instance().slots());
    WorkerSetup worker =
        load.meanSeconds() < LONG_SECONDS
            ? usual
            : new WorkerSetup(
                usual.slots(),
                usual.lease(),
                usual.intake(),
                LONG_TICK_MICROS,
                usual.overheadMicros(),
                usual.replyTimeoutMillis(),
                null,
                null);
    Setup setup =
        Setup.of(
                question.seed(),
                workers,
                worker,
                List.of(tasks),
                CloudSettings.calm(question.latencies()))
            .with(question.consistency())
            .with(client);
    return Observation.of(Simulation.run(setup), question.latencies());
  }

  /** The number of tasks to simulate. */
  private int tasks(WorkloadSize load, int workers) {
    double slots = (double) workers * question.instance().slots();
    double byEvents = MOST_EVENTS / (EVENTS_PER_TASK + events(shortest(load)));
    double least = LEAST_TASKS_PER_SLOT * slots;
    double count = Math.max(least, Math.min(MOST_TASKS, byEvents));
    return (int) Math.min(load.sample().size(), count);
  }

  /** The factor by which the durations of this number of tasks are shrunk. */
  private double shrink(WorkloadSize load, int count) {
    double mean = load.meanSeconds();
    if (mean <= SHRUNK_SECONDS || count * (EVENTS_PER_TASK + events(mean)) <= MOST_EVENTS) {
      return 1;
    }
    double affordable = (MOST_EVENTS / count - EVENTS_PER_TASK) / EVENTS_PER_LONG_SLOT_SECOND;
    return Math.min(1, Math.max(SHRUNK_SECONDS, affordable) / mean);
  }

  private static double shortest(WorkloadSize load) {
    return Math.min(SHRUNK_SECONDS, load.meanSeconds());
  }

  private static double events(double seconds) {
    return seconds
        * (seconds < LONG_SECONDS ? EVENTS_PER_SLOT_SECOND : EVENTS_PER_LONG_SLOT_SECOND);
  }
}
