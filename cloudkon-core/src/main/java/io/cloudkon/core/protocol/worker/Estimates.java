package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import java.util.List;

/**
 * Estimates how long tasks will take, and thus how many are handed out at a time. An estimate may
 * be wrong by any factor, so decisions that are based on it are also bounded by time. Pure; used by
 * one thread at a time.
 */
final class Estimates {
  /** The amount of work that a slot gets at a time, in microseconds. */
  private static final double CHUNK_MICROS = 1_000;

  private static final int CHUNK_TASKS = 512;

  /** The amount of work that may be recorded as started in advance, in microseconds. */
  private static final double AHEAD_MICROS = 1_000_000;

  private static final int LOOKED_AT = 32;

  private final LearnedDurations durations = new LearnedDurations();

  /** Learns from the measured times of tasks. */
  void learn(List<WorkerEvent.Sample> samples) {
    for (WorkerEvent.Sample sample : samples) {
      durations.learn(sample.key(), sample.count(), sample.micros());
    }
  }

  /**
   * The estimated microseconds per task, as learned here or else from the client's estimate; NaN if
   * neither is known. It uses a sample of tasks spread over the bundle, because it is called often.
   */
  double taskMicros(Bundle bundle) {
    List<Task> tasks = bundle.tasks();
    int step = Math.max(1, tasks.size() / LOOKED_AT);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < tasks.size(); i += step) {
      sum += durations.micros(tasks.get(i).work());
      count++;
    }
    if (Double.isNaN(sum) && bundle.header().estimatedMicros() > 0) {
      return (double) bundle.header().estimatedMicros() / tasks.size();
    }
    return sum / count;
  }

  /** The number of pending tasks that a slot gets at a time. */
  static int chunk(double taskMicros, int pending, int slots) {
    int fair = (pending + slots - 1) / slots;
    double byTime = CHUNK_MICROS / Math.max(0.1, taskMicros);
    return Double.isNaN(byTime) ? 1 : (int) Math.clamp(Math.min(byTime, fair), 1, CHUNK_TASKS);
  }

  /**
   * In at-most-once, how many starts are recorded in advance: one second of work, but at least one
   * task per slot, because each of them is LOST if the worker dies. A bundle has at most {@link
   * Limits#TASKS_PER_BUNDLE} tasks, also where a worker has more slots.
   */
  static int startsAhead(double taskMicros, int slots) {
    int one = Math.min(slots, Limits.TASKS_PER_BUNDLE);
    if (Double.isNaN(taskMicros)) {
      return one;
    }
    double ahead = slots * AHEAD_MICROS / Math.max(0.1, taskMicros);
    return (int) Math.clamp(ahead, one, Limits.TASKS_PER_BUNDLE);
  }
}
