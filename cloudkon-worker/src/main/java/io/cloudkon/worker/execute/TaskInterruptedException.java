package io.cloudkon.worker.execute;

/**
 * A task was stopped from outside (lease lost, drain, cancel, a guard that missed the heartbeat),
 * so it has no outcome: nothing of it may be sent or recorded. The message is the reason.
 */
public final class TaskInterruptedException extends Exception {
  private static final long serialVersionUID = 1L;
  private final boolean stuck;

  /** Stopped for this reason. */
  public TaskInterruptedException(String reason) {
    this(reason, false);
  }

  /** Stopped for this reason; {@code stuck} if it could not be. */
  public TaskInterruptedException(String reason, boolean stuck) {
    super(reason);
    this.stuck = stuck;
  }

  /** Whether it could not be stopped and may still run. */
  public boolean stuck() {
    return stuck;
  }
}
