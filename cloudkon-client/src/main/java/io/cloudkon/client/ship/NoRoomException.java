package io.cloudkon.client.ship;

import java.io.IOException;

/** A temporary file cannot be created or written, as on a full disk. */
public final class NoRoomException extends IOException {
  private static final long serialVersionUID = 1L;

  NoRoomException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
