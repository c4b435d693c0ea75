package io.cloudkon.client.workload;

/** No line of a workload represents this task; the message names the task and the reason. */
public final class UnwritableTaskException extends Exception {
  private static final long serialVersionUID = 1L;

  UnwritableTaskException(String message) {
    super(message);
  }
}
