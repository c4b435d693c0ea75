package io.cloudkon.core.error;

import org.jspecify.annotations.Nullable;

/** Recognizes failures that only mean that too many files are open at the moment. */
public final class OutOfDescriptors {
  /** The system's words for {@code EMFILE} and {@code ENFILE}; Java has no exception for them. */
  private static final String WORDS = "Too many open files";

  private OutOfDescriptors() {}

  /** Whether that is the failure, or its cause. */
  public static boolean isCause(Throwable failure) {
    for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
      if (String.valueOf(each.getMessage()).contains(WORDS)) {
        return true;
      }
    }
    return false;
  }
}
