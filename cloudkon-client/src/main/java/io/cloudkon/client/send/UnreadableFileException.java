package io.cloudkon.client.send;

import io.cloudkon.core.error.CloudKonException;

/**
 * A file that a task needs can no longer be read, although it could be when the run was submitted.
 */
final class UnreadableFileException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  UnreadableFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
