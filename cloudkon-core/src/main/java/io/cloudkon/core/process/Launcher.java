package io.cloudkon.core.process;

import java.io.File;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The program that started this process, as its user types it. Stateless and thread safe. */
public final class Launcher {
  /** The system property in which the launcher passes how it was called. */
  private static final String PROPERTY = "cloudkon.launcher";

  private static final String PROGRAM = "cloudkon";

  private Launcher() {}

  /**
   * The first word of the commands that a message suggests: {@code cloudkon} if a shell finds it on
   * the {@code PATH}, or else its path as it was typed, such as {@code ./cloudkon} in a checkout.
   */
  public static String name() {
    return name(System.getProperty(PROPERTY), System.getenv("PATH"));
  }

  static String name(@Nullable String called, @Nullable String searched) {
    if (called == null || called.isEmpty()) {
      return PROGRAM;
    }
    File file = new File(called);
    boolean found =
        file.isAbsolute()
            && file.getName().equals(PROGRAM)
            && searched != null
            && List.of(searched.split(File.pathSeparator, -1)).stream()
                .anyMatch(folder -> file.equals(new File(folder, PROGRAM)));
    return found || !called.contains("/") ? PROGRAM : ShellWord.of(called);
  }
}
