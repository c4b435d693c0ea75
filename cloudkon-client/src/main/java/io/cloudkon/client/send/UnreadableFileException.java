package io.cloudkon.client.send;

import io.cloudkon.core.error.CloudKonException;

/** A file that a task needs cannot be read any more, though it could when the run was submitted. */
final class UnreadableFileException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  UnreadableFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
