package io.cloudkon.client.report;

import io.cloudkon.core.error.LocalFileException;

/**
 * Thrown if the files of a run, or those that its tasks bring back, cannot be written; the run ends
 * and can be resumed.
 */
public final class UnwritableFolderException extends LocalFileException {
  private static final long serialVersionUID = 1L;

  UnwritableFolderException(String message, Throwable cause) {
    super(message, cause);
  }
}
