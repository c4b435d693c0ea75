package io.cloudkon.bench.curves;

import io.cloudkon.bench.simulate.TaskTimes;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.bundler.BundlerSettings;

/**
 * The load on each instance in a figure.
 *
 * @param slots the number of worker threads
 * @param threads the number of client threads
 * @param times the durations of tasks
 * @param tasks the number of tasks for each instance, if time and memory allow
 * @param originalTasks likewise under the original's preset, whose simulation is much slower
 */
record Load(int slots, int threads, TaskTimes times, int tasks, int originalTasks) {

  /** The approximate number of tasks in a bundle, with default settings. */
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
