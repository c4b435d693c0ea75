package io.cloudkon.worker.input;

/** Nobody waits for a task's input any more: the task is not to run here, and did not start. */
public final class GivenUpException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Whoever it is that gives up. */
  public GivenUpException() {
    super("its bundle is not to be run here any more");
  }
}
