package io.cloudkon.simulator.load;

import io.cloudkon.core.model.Task;

/** The tasks of one run, and how they will fare. Ordinals are from 0. */
public interface Tasks {
  /** How many there are. */
  int size();

  /** One task, as the workload states it. */
  Task task(int ordinal);

  /** How long one try of it takes, in microseconds. */
  long micros(int ordinal);

  /** How often it fails under each claim before it succeeds. */
  default int failures(int ordinal) {
    return 0;
  }

  /** Whether every try fails on this worker, as something is missing there. */
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

  /** For how long it stops its worker whenever it starts, in milliseconds; 0 for not at all. */
  default long freezeMillis(int ordinal) {
    return 0;
  }

  /** How large its result is in a message, in bytes. */
  default int resultBytes(int ordinal) {
    return 64;
  }
}
