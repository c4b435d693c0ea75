package io.cloudkon.core.protocol.bundler;

import java.util.HashMap;
import java.util.Map;

/** Work that was sent and has no result yet, by bundle. Pure; used by one thread at a time. */
final class OpenWork {
  /**
   * The open tasks of a bundle that was sent.
   *
   * @param micros how much work that is; NaN if unknown
   */
  private record Sent(int tasks, double micros) {}

  private final double longMicros;
  private final Map<Integer, Sent> open = new HashMap<>();
  private long tasks;
  private long unknownTasks;
  private double knownMicros;

  /** Counts all work. */
  OpenWork() {
    this(Double.POSITIVE_INFINITY);
  }

  /**
   * Counts only bundles of short tasks.
   *
   * @param longMicros bundles whose tasks take at least so long, in microseconds, do not count
   */
  OpenWork(double longMicros) {
    this.longMicros = longMicros;
  }

  /**
   * A bundle was made.
   *
   * @param count how many slots it can fill at a time: its tasks, or an HPC job's ranks
   * @param micros how much work it holds; NaN if unknown
   */
  void sent(int sequence, int count, double micros) {
    if (micros / count >= longMicros) {
      return;
    }
    Sent bundle = new Sent(count, micros);
    open.put(sequence, bundle);
    add(bundle, 1);
  }

  /** So many tasks of a bundle wait and run no more; all of it where it has no more. */
  void ended(int sequence, int count) {
    Sent bundle = open.remove(sequence);
    if (bundle == null) {
      return;
    }
    add(bundle, -1);
    int left = bundle.tasks() - count;
    if (left > 0) {
      sent(sequence, left, bundle.micros() * left / bundle.tasks());
    }
  }

  private void add(Sent bundle, int sign) {
    tasks += (long) sign * bundle.tasks();
    if (Double.isNaN(bundle.micros())) {
      unknownTasks += (long) sign * bundle.tasks();
    } else {
      // Rounding must not leave work where no task is open.
      knownMicros = tasks == unknownTasks ? 0 : knownMicros + sign * bundle.micros();
    }
  }

  /** How many tasks are open. */
  long tasks() {
    return tasks;
  }

  /** How many of them are likely to take nobody knows how long. */
  long unknownTasks() {
    return unknownTasks;
  }

  /** How much work the others are, in microseconds. */
  double knownMicros() {
    return knownMicros;
  }

  /**
   * How much work is open, in microseconds.
   *
   * @param mean how long a task takes of which nothing is known
   */
  double micros(double mean) {
    return knownMicros + unknownTasks * mean;
  }
}
