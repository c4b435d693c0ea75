package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;

/**
 * Tasks that all take as long: {@code sleep} with that argument, so that the machines know it.
 *
 * @param size how many
 * @param millis each; 0 for {@code noop}
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
