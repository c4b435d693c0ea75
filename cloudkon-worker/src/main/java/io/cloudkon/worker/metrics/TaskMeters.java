package io.cloudkon.worker.metrics;

import static java.util.Objects.requireNonNull;

import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Counts results by status, each starting at 0, and times the tasks that ran. Thread safe. */
final class TaskMeters {
  private final Map<TaskStatus, Counter> byStatus = new EnumMap<>(TaskStatus.class);
  private final Timer ran;

  TaskMeters(MeterRegistry registry) {
    for (TaskStatus status : TaskStatus.values()) {
      byStatus.put(
          status,
          Counter.builder("cloudkon.tasks")
              .description("Tasks whose results the response queue accepted, by status.")
              .tag("status", status.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    ran =
        Timers.timer(
            registry,
            "cloudkon.task",
            "Run time of tasks, finished - started; tasks that never ran are left out.",
            Timers.LONG);
  }

  /** Counts the results, with one increment for each status, and times those that ran. */
  void accepted(List<TaskResult> results) {
    Map<TaskStatus, Integer> ended = new EnumMap<>(TaskStatus.class);
    for (TaskResult result : results) {
      ended.merge(result.status(), 1, Integer::sum);
      long micros = result.finishedMicros() - result.startedMicros();
      if (micros > 0 || result.status() == TaskStatus.SUCCEEDED) {
        ran.record(micros, TimeUnit.MICROSECONDS);
      }
    }
    ended.forEach((status, count) -> requireNonNull(byStatus.get(status)).increment(count));
  }
}
