package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Task;
import java.util.function.IntToLongFunction;

/**
 * Tasks that hold their slots for longer than the workload states. The state machines see that time
 * as part of the task.
 *
 * @param tasks the original tasks
 * @param extraMicros the additional time of each, by ordinal, in microseconds
 */
public record SlowedTasks(Tasks tasks, IntToLongFunction extraMicros) implements Tasks {

  /** Tasks for each of which the worker's program needs this additional time. */
  public static SlowedTasks each(Tasks tasks, long extraMicros) {
    return new SlowedTasks(tasks, ordinal -> extraMicros);
  }

  /** Tasks of which the one with this ordinal takes this much longer. */
  public static SlowedTasks one(Tasks tasks, int slow, long extraMicros) {
    return new SlowedTasks(tasks, ordinal -> ordinal == slow ? extraMicros : 0);
  }

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
    return tasks.micros(ordinal) + extraMicros.applyAsLong(ordinal);
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
