package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Task;

/** The tasks of one run and how they behave. Ordinals start at 0. */
public interface Tasks {
  /** The number of tasks. */
  int size();

  /** A task as the workload states it. */
  Task task(int ordinal);

  /** The duration of one try, in microseconds. */
  long micros(int ordinal);

  /** The number of tries that fail under each claim before one succeeds. */
  default int failures(int ordinal) {
    return 0;
  }

  /** Whether every try fails on this worker because something is missing there. */
  default boolean failsOn(String worker) {
    return false;
  }

  /** Whether there may be a worker on which every try fails. */
  default boolean failSomewhere() {
    return false;
  }

  /** Whether it kills its worker whenever it starts. */
  default boolean poison(int ordinal) {
    return false;
  }

  /** The time for which it freezes its worker whenever it starts, in milliseconds; 0 for none. */
  default long freezeMillis(int ordinal) {
    return 0;
  }

  /** The size of its result in a message, in bytes. */
  default int resultBytes(int ordinal) {
    return 64;
  }
}
