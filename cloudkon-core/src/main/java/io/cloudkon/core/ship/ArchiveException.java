package io.cloudkon.core.ship;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Signals that an archive cannot be unpacked because of its own content: it is damaged, has an
 * entry that is refused, or a name that this file system cannot hold. Another try would fail
 * likewise.
 */
public final class ArchiveException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A fault of an archive, in one line. */
  public ArchiveException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
