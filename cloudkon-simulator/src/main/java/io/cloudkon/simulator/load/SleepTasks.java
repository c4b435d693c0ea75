package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;

/**
 * Tasks of equal duration: {@code sleep} with that argument, so that the state machines know the
 * duration.
 *
 * @param size the number of tasks
 * @param millis the duration of each; 0 for {@code noop}
 */
public record SleepTasks(int size, long millis) implements Tasks {
  @Override
  public Task task(int ordinal) {
    Work work = millis == 0 ? Work.Noop.INSTANCE : new Work.Sleep(millis);
    return new Task(ordinal, "", work, 0);
  }

  @Override
  public long micros(int ordinal) {
    return millis * 1000;
  }
}
