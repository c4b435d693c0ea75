package io.cloudkon.bench.curves;

import io.cloudkon.bench.simulate.TaskTimes;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.bundler.BundlerSettings;

/**
 * The load on each instance in a figure.
 *
 * @param slots worker threads
 * @param threads client threads
 * @param times how long tasks take
 * @param tasks for each instance, where time and memory allow
 * @param originalTasks the same under the original's preset, which is simulated much more slowly
 */
record Load(int slots, int threads, TaskTimes times, int tasks, int originalTasks) {

  /** About how many make a bundle, on defaults. */
  double tasksPerBundle() {
    double millis =
        switch (times.spread()) {
          case SAME -> times.least();
          case UNIFORM -> (times.least() + times.most()) / 2.0;
          case LOG_NORMAL -> Math.sqrt((double) times.least() * times.most());
        };
    double fit = BundlerSettings.DEFAULT.targetMillis() / Math.max(0.001, millis);
    return Math.clamp(fit, 1, Limits.TASKS_PER_BUNDLE);
  }
}
