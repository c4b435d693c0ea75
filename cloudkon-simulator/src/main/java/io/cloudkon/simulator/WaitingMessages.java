package io.cloudkon.simulator;

import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.world.World;
import java.util.List;

/**
 * Checks, once the faults are over, that no message of the request queue waits beside a free slot
 * of a worker to which nothing happened for longer than a long poll and some calls take.
 */
final class WaitingMessages {
  /** A long poll, and what the worker does between two. */
  private static final long POLL = 25_000_000;

  /** The number of successive calls, in medians of a call: a single call may take 15 of them. */
  private static final long CALLS = 30;

  /** The time between two checks, in microseconds. */
  private static final long EVERY = 1_000_000;

  private final World world;
  private final List<SimWorker> workers;
  private final long bound;
  private final long calm;
  private long nextCheck;

  /** A check of a simulation; does nothing if that has no faults. */
  WaitingMessages(World world, List<SimWorker> workers, Setup setup) {
    this.world = world;
    this.workers = workers;
    this.bound = POLL + CALLS * setup.callMicros();
    this.calm = setup.cloud().faults().untilMicros();
    this.nextCheck = calm > 0 ? calm : Long.MAX_VALUE;
  }

  void check() {
    long now = world.timeline().now();
    if (now < nextCheck) {
      return;
    }
    nextCheck = now + EVERY;
    SimQueue<Request> queue = world.cloud().requests();
    // Where there are jobs, free slots may be kept for ranks. Where too many messages were in
    // flight, workers wait before they receive again.
    if (queue.waiting() == 0 || queue.overLimit() > 0 || world.cloud().hpcIfAny() != null) {
      return;
    }
    long since = Math.max(calm, queue.waitsSince());
    if (now - since <= bound) {
      return;
    }
    for (SimWorker worker : workers) {
      long free = worker.freeSince(2 * bound);
      Violation.unless(
          now - Math.max(since, free) <= bound,
          "a message waits since %d ms, and worker %s has a free slot since %d ms",
          (now - since) / 1000,
          worker,
          (now - free) / 1000);
    }
  }
}
