package io.cloudkon.core.error;

import org.jspecify.annotations.Nullable;

/**
 * Signals wrong usage, an invalid workload, or a missing region or credentials: exit code 2, and
 * nothing was sent.
 */
public sealed class UsageException extends CloudKonException permits MissingCredentialsException {
  private static final long serialVersionUID = 1L;

  /** An error without a cause. */
  public UsageException(String message) {
    super(message);
  }

  /** An error with its cause. */
  public UsageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 2;
  }
}
