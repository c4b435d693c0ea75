package io.cloudkon.core.cli;

import java.util.regex.Pattern;

/** A word as a shell takes it. Stateless and thread safe. */
public final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./@%+=:,^-]+");

  private ShellWord() {}

  /** The word as it stands where a shell would leave it so, else in single quotes. */
  public static String of(String word) {
    return PLAIN.matcher(word).matches() ? word : quoted(word);
  }

  /** The word in single quotes, so that it means the same beside any other text. */
  public static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
