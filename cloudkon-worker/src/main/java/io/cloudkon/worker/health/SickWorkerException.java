package io.cloudkon.worker.health;

/**
 * A task did not start, as its worker is sick: nothing of it ran, and another worker may have it.
 */
public final class SickWorkerException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient StartHindrance hindrance;

  /**
   * It did not start.
   *
   * @param hindrance what the worker suffers from
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
