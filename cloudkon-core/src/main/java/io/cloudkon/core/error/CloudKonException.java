package io.cloudkon.core.error;

import org.jspecify.annotations.Nullable;

/**
 * The root of all exceptions whose message is meant for the user: one line that names the affected
 * task, bundle, queue, table, file or option, and what to do. Thrown itself for the cases of exit
 * code 3: a service refuses, cannot be reached, or lacks a queue or table.
 */
public class CloudKonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure without a cause. */
  public CloudKonException(String message) {
    super(message);
  }

  /** A failure with its cause. */
  public CloudKonException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The exit code of a command that ends with this exception: 3. */
  public int exitCode() {
    return 3;
  }
}
