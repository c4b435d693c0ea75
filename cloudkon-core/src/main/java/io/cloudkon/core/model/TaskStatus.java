package io.cloudkon.core.model;

/** The final status of a task. The user sees exactly one status for each task. */
public enum TaskStatus {
  SUCCEEDED,
  /** It ended with an exit code other than 0 or an exception, or the worker refused it. */
  FAILED,
  TIMED_OUT,
  CANCELLED,
  /** In at-most-once only: it started, and its outcome is unknown. */
  LOST
}
