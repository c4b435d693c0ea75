package io.cloudkon.hpc.rmi;

import io.cloudkon.core.error.CloudKonException;
import org.jspecify.annotations.Nullable;

/** A call to another worker's endpoint that came to nothing. */
public final class HpcCallException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Kind {
    /**
     * Nothing listens there, or no worker does, or the connection broke; the call may have arrived
     * nevertheless.
     */
    UNREACHABLE,
    /** No answer in time; the call may have arrived nevertheless. */
    TIMED_OUT,
    /** The other side knows no such gang, or another secret: it has not read the call. */
    REFUSED,
    /**
     * The call arrived and failed there, or brought what is not taken there; or this side failed to
     * make it. Says nothing of the gang.
     */
    FAILED,
    /** The calling thread was interrupted, and still is; the call may have arrived nevertheless. */
    INTERRUPTED
  }

  private final Kind kind;

  /** A call that came to nothing, for this reason. */
  public HpcCallException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Why the call came to nothing. */
  public Kind kind() {
    return kind;
  }
}
