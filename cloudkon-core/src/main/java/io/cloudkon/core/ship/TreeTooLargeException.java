package io.cloudkon.core.ship;

import java.io.IOException;

/** More comes out of an archive than whoever unpacks it has room for. */
public final class TreeTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  TreeTooLargeException(String message) {
    super(message);
  }
}
