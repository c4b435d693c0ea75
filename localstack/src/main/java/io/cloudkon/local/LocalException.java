package io.cloudkon.local;

import org.jspecify.annotations.Nullable;

/**
 * The emulator could not be started, found or stopped; leads to a message for the user and exit
 * code 3.
 */
final class LocalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LocalException(String message) {
    super(message);
  }

  LocalException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
