package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Task;

/**
 * Tasks of which one takes much longer than the workload states.
 *
 * @param tasks the original tasks
 * @param slow the ordinal of the long one
 * @param extraMicros its additional time, in microseconds
 */
public record LongTask(Tasks tasks, int slow, long extraMicros) implements Tasks {
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
    return tasks.micros(ordinal) + (ordinal == slow ? extraMicros : 0);
  }

  @Override
  public int failures(int ordinal) {
    return tasks.failures(ordinal);
  }

  @Override
  public boolean failsOn(String worker) {
    return tasks.failsOn(worker);
  }

  @Override
  public boolean failSomewhere() {
    return tasks.failSomewhere();
  }

  @Override
  public boolean poison(int ordinal) {
    return tasks.poison(ordinal);
  }

  @Override
  public long freezeMillis(int ordinal) {
    return tasks.freezeMillis(ordinal);
  }

  @Override
  public int resultBytes(int ordinal) {
    return tasks.resultBytes(ordinal);
  }
}
