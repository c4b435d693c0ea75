package io.cloudkon.core.port;

import io.cloudkon.core.error.CloudKonException;
import org.jspecify.annotations.Nullable;

/**
 * A call that failed in passing: throttled, timed out, connection lost, 5xx. Whether its effect
 * happened is unknown; the same call may be made again.
 */
public final class TransientServiceException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  /** Says which call failed and how. */
  public TransientServiceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
