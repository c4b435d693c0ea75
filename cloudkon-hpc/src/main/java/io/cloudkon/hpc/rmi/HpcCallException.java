package io.cloudkon.hpc.rmi;

import io.cloudkon.core.error.CloudKonException;
import org.jspecify.annotations.Nullable;

/** A call to another worker's endpoint that came to nothing. */
public final class HpcCallException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Kind {
    /** Nothing listens there, or the connection broke; the call may have arrived nevertheless. */
    UNREACHABLE,
    /** No answer in time; the call may have arrived nevertheless. */
    TIMED_OUT,
    /** The other side does not know gang and secret, failed, or does not speak as it should. */
    REFUSED,
    /** The calling thread was interrupted, and still is; the call may have arrived nevertheless. */
    INTERRUPTED
  }

  private final Kind kind;

  HpcCallException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Why the call came to nothing. */
  public Kind kind() {
    return kind;
  }
}
