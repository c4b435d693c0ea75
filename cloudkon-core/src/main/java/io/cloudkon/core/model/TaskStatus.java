package io.cloudkon.core.model;

/** How a task ended. The user sees exactly one of these for each task. */
public enum TaskStatus {
  SUCCEEDED,
  /** Exit code other than 0, an exception, or work that the worker refuses. */
  FAILED,
  TIMED_OUT,
  CANCELLED,
  /** At-most-once only: it started, and nobody knows how it ended. */
  LOST
}
