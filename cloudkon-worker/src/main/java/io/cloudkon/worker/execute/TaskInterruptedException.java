package io.cloudkon.worker.execute;

/**
 * A task was stopped from outside (lease lost, drain, cancel, a guard that missed the heartbeat),
 * so it has no outcome: nothing of it may be sent or recorded. The message is the reason.
 */
public final class TaskInterruptedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Stopped for this reason. */
  public TaskInterruptedException(String reason) {
    super(reason);
  }
}
