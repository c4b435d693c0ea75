package io.cloudkon.core.port;

import io.cloudkon.core.error.CloudKonException;
import org.jspecify.annotations.Nullable;

/**
 * A call that failed in passing: throttled, timed out, connection lost, 5xx. Whether its effect
 * happened is unknown; the same call may be made again. So is one whose credentials have run out,
 * or cannot be had just now: a program whose credentials worked waits for the next ones. At its
 * start, it is told by {@link #ofCredentials} from a service that cannot be reached.
 */
public final class TransientServiceException extends CloudKonException {
  private static final long serialVersionUID = 1L;
  private final boolean ofCredentials;

  /** Says which call failed and how. */
  public TransientServiceException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  private TransientServiceException(
      String message, @Nullable Throwable cause, boolean ofCredentials) {
    super(message, cause);
    this.ofCredentials = ofCredentials;
  }

  /** A call without credentials that the service takes. It had no effect. */
  public static TransientServiceException ofCredentials(String message, @Nullable Throwable cause) {
    return new TransientServiceException(message, cause, true);
  }

  /** Whether it is the credentials that the service does not take, or that cannot be had. */
  public boolean ofCredentials() {
    return ofCredentials;
  }
}
