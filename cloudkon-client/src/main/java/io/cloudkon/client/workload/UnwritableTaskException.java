package io.cloudkon.client.workload;

/** No line of a workload makes this task; the message says which task, and why. */
public final class UnwritableTaskException extends Exception {
  private static final long serialVersionUID = 1L;

  UnwritableTaskException(String message) {
    super(message);
  }
}
