package io.cloudkon.worker.health;

/**
 * A task did not start, as its worker is sick: nothing of it ran, and another worker may have it.
 */
public final class SickWorkerException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * It did not start.
   *
   * @param reason what the worker suffers from, in one line
   */
  public SickWorkerException(String reason) {
    super(reason);
  }

  /** What the worker suffers from, in one line. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
