package io.cloudkon.client.cli;

import io.cloudkon.core.process.Launcher;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Breaks a message between words at the width of a terminal. A command to copy stays whole, on a
 * line of its own if it does not fit. Stateless.
 */
final class WrappedText {
  private static final String MARGIN = "  ";

  /** A word, or a command after a colon, up to a semicolon or the end. */
  private static final Pattern PIECE =
      Pattern.compile("(?<=: )" + Pattern.quote(Launcher.name()) + " [^;]*;?|\\S+");

  private WrappedText() {}

  /** The text with line ends in place of some blanks. */
  static String of(String text, int columns) {
    StringBuilder wrapped = new StringBuilder();
    int length = 0;
    Matcher pieces = PIECE.matcher(text);
    while (pieces.find()) {
      String piece = pieces.group();
      boolean fits = length + 1 + piece.length() <= columns;
      if (length > 0) {
        wrapped.append(fits ? " " : "\n" + MARGIN);
        length = fits ? length + 1 : MARGIN.length();
      }
      wrapped.append(piece);
      length += piece.length();
    }
    return wrapped.toString();
  }
}
