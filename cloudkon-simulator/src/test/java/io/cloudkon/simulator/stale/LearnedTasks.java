package io.cloudkon.simulator.stale;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.simulator.load.Tasks;
import java.util.List;

/**
 * Calls of one handler, which workers know by what it took so far and by nothing else.
 *
 * @param size how many
 * @param micros how long each takes
 */
record LearnedTasks(int size, long micros) implements Tasks {
  @Override
  public Task task(int ordinal) {
    return new Task(ordinal, "", new Work.JavaCall("program", List.of()), 0);
  }

  @Override
  public long micros(int ordinal) {
    return micros;
  }
}
