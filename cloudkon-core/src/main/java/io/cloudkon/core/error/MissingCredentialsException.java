package io.cloudkon.core.error;

/**
 * Signals that no AWS region or no credentials were found. On an EC2 instance, they may be found a
 * moment later.
 */
public final class MissingCredentialsException extends UsageException {
  private static final long serialVersionUID = 1L;

  /** An error with its cause. */
  public MissingCredentialsException(String message, Throwable cause) {
    super(message, cause);
  }
}
