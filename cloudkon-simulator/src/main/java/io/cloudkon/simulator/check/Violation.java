package io.cloudkon.simulator.check;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Indicates that a promise was broken. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** A violation with a formatted message; see {@link String#format}. */
  @SuppressWarnings("AnnotateFormatMethod") // That annotation would be a dependency of its own.
  public Violation(String message, @Nullable Object... details) {
    super(String.format(Locale.ROOT, message, details));
  }

  /**
   * Checks a promise; see {@link String#format} for the message.
   *
   * @throws Violation if it does not hold
   */
  @SuppressWarnings("AnnotateFormatMethod") // That annotation would be a dependency of its own.
  public static void unless(boolean holds, String message, @Nullable Object... details) {
    if (!holds) {
      throw new Violation(message, details);
    }
  }
}
