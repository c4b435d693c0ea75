package io.cloudkon.core.error;

import org.jspecify.annotations.Nullable;

/**
 * Signals that a file on this machine is damaged, has changed, or cannot be read or written: exit
 * code 1, because neither the usage nor a service is at fault.
 */
public class LocalFileException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  /** A failure without a cause. */
  public LocalFileException(String message) {
    super(message);
  }

  /** A failure with its cause. */
  public LocalFileException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 1;
  }
}
