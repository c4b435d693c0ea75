package io.cloudkon.core.codec;

import org.jspecify.annotations.Nullable;

/**
 * Signals that bytes are not a valid bundle or result message; the message says what was expected.
 */
public final class MalformedMessageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** An exception without a cause. */
  public MalformedMessageException(String message) {
    super(message);
  }

  /** An exception with the cause that a library reported. */
  public MalformedMessageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  static void check(boolean legal, String expectation) throws MalformedMessageException {
    if (!legal) {
      throw new MalformedMessageException("expected " + expectation);
    }
  }
}
