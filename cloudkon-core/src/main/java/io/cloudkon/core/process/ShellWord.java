package io.cloudkon.core.process;

import java.util.regex.Pattern;

/** Quotes words for a shell. Stateless and thread safe. */
public final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./@%+=:,^-]+");

  private ShellWord() {}

  /** The word unchanged if a shell would not change it, otherwise in single quotes. */
  public static String of(String word) {
    return PLAIN.matcher(word).matches() ? word : quoted(word);
  }

  /** The word in single quotes, so that its meaning does not depend on adjacent text. */
  public static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
