package io.cloudkon.simulator.check;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A promise was broken. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** See {@link String#format}. */
  @SuppressWarnings("AnnotateFormatMethod") // That annotation would be a dependency of its own.
  public Violation(String message, @Nullable Object... details) {
    super(String.format(Locale.ROOT, message, details));
  }
}
