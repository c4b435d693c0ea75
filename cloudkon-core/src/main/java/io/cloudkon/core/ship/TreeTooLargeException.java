package io.cloudkon.core.ship;

import java.io.IOException;

/** Signals that the content of an archive exceeds the limit for unpacking. */
public final class TreeTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  TreeTooLargeException(String message) {
    super(message);
  }
}
