package io.cloudkon.worker.input;

import org.jspecify.annotations.Nullable;

/** What a task needs cannot be had: it fails, and the message says why. */
public final class InputException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean lasting;

  /** Something that may be otherwise the next time. */
  InputException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  private InputException(String message, @Nullable Throwable cause, boolean lasting) {
    super(message, cause);
    this.lasting = lasting;
  }

  /** What is stored under the key will never be what is wanted. */
  static InputException lasting(String message) {
    return new InputException(message, null, true);
  }

  boolean lasting() {
    return lasting;
  }

  /** Why the task fails, in one line. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
