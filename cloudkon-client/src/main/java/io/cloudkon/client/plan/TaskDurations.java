package io.cloudkon.client.plan;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The expected duration of each task. It is known for {@code sleep} and {@code noop}. For other
 * tasks the first available of these applies: {@code --duration} for the program or handler, {@code
 * --duration} for the kind, the earlier run, and {@code --duration} for all tasks.
 */
final class TaskDurations {
  private final List<GivenTime> named;
  private final List<GivenTime> general;
  private final @Nullable EarlierRun earlier;

  TaskDurations(List<GivenTime> given, @Nullable EarlierRun earlier) {
    this.named =
        given.stream()
            .filter(time -> time.weight() > 0)
            .sorted(Comparator.comparingInt(GivenTime::weight).reversed())
            .toList();
    this.general = given.stream().filter(time -> time.weight() == 0).toList();
    this.earlier = earlier;
  }

  /** Draws one task's duration, in microseconds; empty if it is unknown. */
  Optional<Long> draw(Task task, SplittableRandom random) {
    return switch (task.work()) {
      case Work.Noop noop -> Optional.of(0L);
      case Work.Sleep sleep -> Optional.of(limited(task, sleep.millis() * 1000));
      case Work.Exec exec -> learned(task, random);
      case Work.JavaCall java -> learned(task, random);
      case Work.Stored stored -> learned(task, random);
      case Work.Hpc hpc -> learned(task, random);
    };
  }

  private Optional<Long> learned(Task task, SplittableRandom random) {
    return given(named, task, random)
        .or(() -> earlier == null ? Optional.empty() : earlier.draw(task, random))
        .or(() -> given(general, task, random))
        .map(micros -> limited(task, micros));
  }

  private static Optional<Long> given(List<GivenTime> times, Task task, SplittableRandom random) {
    return times.stream()
        .filter(time -> time.fits(task.work()))
        .findFirst()
        .map(time -> time.takes().draw(random));
  }

  /** Limits a duration to the task's timeout. */
  private static long limited(Task task, long micros) {
    return task.timeoutMillis() > 0 ? Math.min(micros, task.timeoutMillis() * 1000) : micros;
  }
}
