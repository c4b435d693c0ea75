package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import java.util.List;

/**
 * Estimates how long tasks are likely to take, and so how many are handed out at a time. An
 * estimate may be wrong by any factor: what is decided by one is bounded by time as well. Pure;
 * used by one thread at a time.
 */
final class Estimates {
  /** How much work a slot gets at a time. */
  private static final double CHUNK_MICROS = 1_000;

  private static final int CHUNK_TASKS = 512;

  /** How much work may be recorded as started before it is. */
  private static final double AHEAD_MICROS = 1_000_000;

  private static final int LOOKED_AT = 32;

  private final LearnedDurations durations = new LearnedDurations();

  /** So long took tasks of some sort. */
  void learn(List<WorkerEvent.Sample> samples) {
    for (WorkerEvent.Sample sample : samples) {
      durations.learn(sample.key(), sample.count(), sample.micros());
    }
  }

  /**
   * Microseconds per task: by what was learned here, else by what the client says; NaN if neither
   * knows. Looks at some tasks spread over the bundle, as it is asked often.
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

  /** How many of the pending tasks a slot gets at a time. */
  static int chunk(double taskMicros, int pending, int slots) {
    int fair = (pending + slots - 1) / slots;
    double byTime = CHUNK_MICROS / Math.max(0.1, taskMicros);
    return Double.isNaN(byTime) ? 1 : (int) Math.clamp(Math.min(byTime, fair), 1, CHUNK_TASKS);
  }

  /**
   * At-most-once: how many starts are recorded ahead, as each is LOST if the worker dies: a second
   * of work, but a task for each slot.
   */
  static int startsAhead(double taskMicros, int slots) {
    if (Double.isNaN(taskMicros)) {
      return slots;
    }
    double ahead = slots * AHEAD_MICROS / Math.max(0.1, taskMicros);
    return (int) Math.clamp(ahead, slots, Limits.TASKS_PER_BUNDLE);
  }
}
