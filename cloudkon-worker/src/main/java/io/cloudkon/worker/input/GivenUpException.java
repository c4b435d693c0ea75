package io.cloudkon.worker.input;

/** A task's input is not needed any more: the task is not to run here, and has not started. */
public final class GivenUpException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The exception for every reason to give up. */
  public GivenUpException() {
    super("its bundle is not to be run here any more");
  }
}
