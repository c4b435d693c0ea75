package io.cloudkon.core.error;

import org.jspecify.annotations.Nullable;

/**
 * Bad usage, a bad workload, or missing region or credentials: exit code 2, and nothing was sent.
 */
public final class UsageException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  /** A mistake with nothing beneath it. */
  public UsageException(String message) {
    super(message);
  }

  /** A mistake and what showed it. */
  public UsageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 2;
  }
}
