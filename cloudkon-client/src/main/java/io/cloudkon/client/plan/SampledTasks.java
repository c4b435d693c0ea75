package io.cloudkon.client.plan;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.simulator.load.Tasks;
import java.util.SplittableRandom;

/**
 * The tasks to simulate, in the order of the workload: all of them or a sample.
 *
 * @param works the representatives of the tasks' work, by number
 * @param number the number of each task's work
 * @param took the duration of each task, in microseconds
 * @param shrink the factor by which durations are multiplied; 1 for no change
 */
record SampledTasks(Prototypes works, int[] number, long[] took, double shrink) implements Tasks {
  @Override
  public int size() {
    return number.length;
  }

  @Override
  public Task task(int ordinal) {
    Work work = works.work(number[ordinal]);
    return new Task(
        ordinal,
        "",
        work instanceof Work.Sleep sleep && shrink < 1
            ? new Work.Sleep(Math.round(sleep.millis() * shrink))
            : work,
        0);
  }

  @Override
  public long micros(int ordinal) {
    return shrink < 1 ? Math.round(took[ordinal] * shrink) : took[ordinal];
  }

  /** A uniform random sample of these tasks. */
  SampledTasks some(int count, SplittableRandom random) {
    if (count >= size()) {
      return this;
    }
    int[] numbers = new int[count];
    long[] times = new long[count];
    int taken = 0;
    for (int i = 0; taken < count; i++) {
      if (random.nextInt(size() - i) < count - taken) {
        numbers[taken] = number[i];
        times[taken++] = took[i];
      }
    }
    return new SampledTasks(works, numbers, times, shrink);
  }

  /** The same tasks with shorter durations. */
  SampledTasks shrunk(double by) {
    return new SampledTasks(works, number, took, shrink * by);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return "%d tasks".formatted(size());
  }
}
