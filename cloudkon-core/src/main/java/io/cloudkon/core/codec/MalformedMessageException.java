package io.cloudkon.core.codec;

import org.jspecify.annotations.Nullable;

/** Bytes that are no legal bundle or result message; the message says what was expected. */
public final class MalformedMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Malformed, and nothing beneath it. */
  public MalformedMessageException(String message) {
    super(message);
  }

  /** Malformed, found by a library. */
  public MalformedMessageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  static void check(boolean legal, String expectation) throws MalformedMessageException {
    if (!legal) {
      throw new MalformedMessageException("expected " + expectation);
    }
  }
}
