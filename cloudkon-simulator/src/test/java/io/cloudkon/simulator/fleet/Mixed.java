package io.cloudkon.simulator.fleet;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.simulator.load.Tasks;

/**
 * Tasks of as many milliseconds as they are told, of which some fail or kill.
 *
 * @param millis of each
 * @param failing its ordinal; -1 for none
 * @param failures how often that one fails
 * @param poison that one's ordinal; -1 for none
 * @param resultBytes of each
 */
record Mixed(int[] millis, int failing, int failures, int poison, int resultBytes)
    implements Tasks {
  static Mixed of(int... millis) {
    return new Mixed(millis, -1, 0, -1, 64);
  }

  @Override
  public int size() {
    return millis.length;
  }

  @Override
  public Task task(int ordinal) {
    return new Task(ordinal, "", new Work.Sleep(millis[ordinal]), 3);
  }

  @Override
  public long micros(int ordinal) {
    return millis[ordinal] * 1000L;
  }

  @Override
  public int failures(int ordinal) {
    return ordinal == failing ? failures : 0;
  }

  @Override
  public boolean poison(int ordinal) {
    return ordinal == poison;
  }

  @Override
  public int resultBytes(int ordinal) {
    return resultBytes;
  }
}
