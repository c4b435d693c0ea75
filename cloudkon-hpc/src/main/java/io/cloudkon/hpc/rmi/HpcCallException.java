package io.cloudkon.hpc.rmi;

import io.cloudkon.core.error.CloudKonException;
import org.jspecify.annotations.Nullable;

/** Signals that a call to another worker's endpoint failed. */
public final class HpcCallException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  /** The reason of a failure. */
  public enum Kind {
    /** No worker listens there, or the connection broke; the call may have arrived nevertheless. */
    UNREACHABLE,
    /** No answer in time; the call may have arrived nevertheless. */
    TIMED_OUT,
    /** The other side does not know the gang or the secret; it has not read the call. */
    REFUSED,
    /**
     * The call arrived and failed there, or its content was refused, or this side could not make
     * it. This says nothing about the state of the gang.
     */
    FAILED,
    /**
     * The calling thread was interrupted, and its interrupt status is set; the call may have
     * arrived nevertheless.
     */
    INTERRUPTED
  }

  private final Kind kind;

  /** A call that failed for this reason. */
  public HpcCallException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** The reason of the failure. */
  public Kind kind() {
    return kind;
  }
}
