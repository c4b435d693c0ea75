package io.cloudkon.client.send;

import io.cloudkon.core.error.CloudKonException;

/** A client has no room for the temporary file in which it packs the files of a task. */
final class NoRoomForFilesException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  NoRoomForFilesException(String message, Throwable cause) {
    super(message, cause);
  }
}
