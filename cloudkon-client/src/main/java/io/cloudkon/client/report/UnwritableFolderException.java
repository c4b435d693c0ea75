package io.cloudkon.client.report;

import io.cloudkon.core.error.CloudKonException;

/** The disk takes no more of what tasks bring back: the run ends here, and can be resumed. */
public final class UnwritableFolderException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  UnwritableFolderException(String message, Throwable cause) {
    super(message, cause);
  }
}
