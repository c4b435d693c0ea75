package io.cloudkon.worker.health;

/**
 * Reports that a task did not start because its worker is sick: nothing of it ran, and another
 * worker may run it.
 */
public final class SickWorkerException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient StartHindrance hindrance;

  /**
   * A task that did not start.
   *
   * @param hindrance the worker's fault
   */
  public SickWorkerException(StartHindrance hindrance) {
    super(hindrance.reason());
    this.hindrance = hindrance;
  }

  /** The fault of the worker that kept the task from starting. */
  public StartHindrance hindrance() {
    return hindrance;
  }
}
