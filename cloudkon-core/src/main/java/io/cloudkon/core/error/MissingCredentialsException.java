package io.cloudkon.core.error;

/**
 * Signals that no AWS region or no credentials were found: exit code 2, and nothing was sent. On an
 * EC2 instance, they may be found a moment later.
 */
public final class MissingCredentialsException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  /** An error with its cause. */
  public MissingCredentialsException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 2;
  }
}
