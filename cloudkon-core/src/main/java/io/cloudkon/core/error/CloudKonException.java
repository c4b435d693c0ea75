package io.cloudkon.core.error;

import org.jspecify.annotations.Nullable;

/**
 * The root of everything that CloudKon throws for a person to read: one line that names the task,
 * bundle, queue, table, file or option it is about, and what to do about it. Thrown as it is for
 * what exit code 3 stands for: a service that refuses, cannot be reached, or lacks a queue or
 * table.
 */
public class CloudKonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure with nothing beneath it. */
  public CloudKonException(String message) {
    super(message);
  }

  /** A failure and what caused it. */
  public CloudKonException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The exit code of a command that ends by this exception: 3. */
  public int exitCode() {
    return 3;
  }
}
