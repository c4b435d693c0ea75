package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Task;

/**
 * Tasks for each of which the worker's program needs some additional time while it holds the slot.
 * The state machines see that time as part of the task.
 *
 * @param tasks the original tasks
 * @param extraMicros the additional time of each, in microseconds
 */
public record SlowedTasks(Tasks tasks, long extraMicros) implements Tasks {
  @Override
  public int size() {
    return tasks.size();
  }

  @Override
  public Task task(int ordinal) {
    return tasks.task(ordinal);
  }

  @Override
  public long micros(int ordinal) {
    return tasks.micros(ordinal) + extraMicros;
  }

  @Override
  public int failures(int ordinal) {
    return tasks.failures(ordinal);
  }

  @Override
  public boolean poison(int ordinal) {
    return tasks.poison(ordinal);
  }

  @Override
  public int resultBytes(int ordinal) {
    return tasks.resultBytes(ordinal);
  }
}
