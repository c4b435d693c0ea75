package io.cloudkon.core.error;

import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/** Recognizes failures that only mean that too many files are open at the moment. */
public final class OutOfDescriptors {
  /**
   * The system's words for {@code EMFILE} and {@code ENFILE}, for which Java has no exception; they
   * are others where a locale translates them.
   */
  private static final String WORDS = "Too many open files";

  private OutOfDescriptors() {}

  /** Whether that is the failure, or its cause. */
  public static boolean isCause(Throwable failure) {
    for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
      String why = each instanceof FileSystemException file ? file.getReason() : each.getMessage();
      if (String.valueOf(why).contains(WORDS)) {
        return true;
      }
    }
    return false;
  }
}
