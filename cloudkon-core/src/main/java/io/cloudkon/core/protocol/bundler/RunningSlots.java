package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.time.Moment;

/**
 * Estimates in how many slots one client's tasks run, by Little's law: the slot time of the results
 * that came lately, over the time in which they came. It is believed only where the fleet is listed
 * and every worker is busy, and when tasks have had the time to finish. Else they may run in every
 * slot: an estimate that is too low would leave slots empty, one that is too high lets a few more
 * tasks wait. Pure; used by one thread at a time.
 */
final class RunningSlots {
  /** Over how long results are averaged at least, in milliseconds. */
  private static final double LEAST_MEMORY = 2_000;

  /** A fleet is busy where no larger part of its slots is free. */
  private static final double SPARE = 0.05;

  private int listed;
  private boolean busy;

  /** Slot time of what finished since then, in microseconds, the older the less. */
  private double micros;

  private long since = -1;
  private long last;

  /** So many slots are listed, of which so many are free. */
  void fleet(int slots, int free) {
    busy = slots > 0 && free <= SPARE * slots;
    if (!busy || slots > listed) {
      since = -1;
    }
    listed = slots;
  }

  /**
   * Tasks finished.
   *
   * @param took how long they kept slots together, in microseconds
   * @param mean how long one did
   */
  void finished(double took, double mean, Moment now) {
    if (since < 0) {
      since = now.mono() - (long) (mean / 1000);
      last = now.mono();
      micros = 0;
    }
    micros = micros * Math.exp(-(now.mono() - last) / memory(mean)) + took;
    last = now.mono();
  }

  /**
   * The estimate.
   *
   * @param slots of the whole fleet, at least
   * @param mean how long tasks take that finished, or that are open if that is longer; in
   *     microseconds
   */
  double of(int slots, double mean, Moment now) {
    double memory = memory(mean);
    double age = now.mono() - since;
    if (!busy || slots > listed || since < 0 || age < memory) {
      return slots;
    }
    double lately = micros / 1000 * Math.exp(-(now.mono() - last) / memory);
    return Math.min(slots, lately / (memory * (1 - Math.exp(-age / memory))));
  }

  private static double memory(double meanMicros) {
    return Math.max(LEAST_MEMORY, 2 * meanMicros / 1000);
  }
}
