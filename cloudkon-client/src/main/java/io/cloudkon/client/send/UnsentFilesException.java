package io.cloudkon.client.send;

import io.cloudkon.core.error.LocalFileException;

/**
 * This client cannot send the files of a task at the moment, and the files are not the cause: it
 * has no room for a temporary file or no free descriptor, or its thread was interrupted.
 */
final class UnsentFilesException extends LocalFileException {
  private static final long serialVersionUID = 1L;

  UnsentFilesException(String message, Throwable cause) {
    super(message, cause);
  }
}
