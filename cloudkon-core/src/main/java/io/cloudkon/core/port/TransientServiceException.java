package io.cloudkon.core.port;

import io.cloudkon.core.error.CloudKonException;
import org.jspecify.annotations.Nullable;

/**
 * Signals a temporary failure of a call: throttling, a timeout, a lost connection, or a 5xx answer.
 * It is unknown whether the call took effect; it may be repeated. Expired or temporarily
 * unavailable credentials are also a temporary failure, because a program whose credentials worked
 * waits for new ones. At a start, {@link #ofCredentials} distinguishes them from a service that
 * cannot be reached.
 */
public final class TransientServiceException extends CloudKonException {
  private static final long serialVersionUID = 1L;
  private final boolean ofCredentials;

  /** Names the call that failed and the reason. */
  public TransientServiceException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  private TransientServiceException(
      String message, @Nullable Throwable cause, boolean ofCredentials) {
    super(message, cause);
    this.ofCredentials = ofCredentials;
  }

  /** A call whose credentials the service did not accept. It had no effect. */
  public static TransientServiceException ofCredentials(String message, @Nullable Throwable cause) {
    return new TransientServiceException(message, cause, true);
  }

  /** Whether a service has said that a call will fail again, however often it is repeated. */
  public static boolean isLasting(Throwable failure) {
    return failure instanceof CloudKonException && !(failure instanceof TransientServiceException);
  }

  /** Whether the credentials were not accepted or not available. */
  public boolean ofCredentials() {
    return ofCredentials;
  }
}
