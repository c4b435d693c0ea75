package io.cloudkon.core.port;

import io.cloudkon.core.error.CloudKonException;

/** Signals that no blob store is configured, so that nothing can be in it. */
public final class NoBlobStoreException extends CloudKonException {
  private static final long serialVersionUID = 1L;

  /** Says what would configure it. */
  public NoBlobStoreException(String message) {
    super(message);
  }
}
