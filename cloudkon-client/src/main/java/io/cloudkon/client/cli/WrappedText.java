package io.cloudkon.client.cli;

import io.cloudkon.core.process.Launcher;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Breaks a message at single blanks between words, at the width of a terminal; everything else
 * stays as it is. A command to copy and what stands in single quotes stay whole, on a line of their
 * own if they do not fit. Stateless.
 */
final class WrappedText {
  private static final String MARGIN = "  ";

  /** In single quotes, which no apostrophe within a word opens. */
  private static final String QUOTED = "(?<!\\w)'[^'\n]*'";

  /**
   * White space, or a word, or a command after a colon, up to a semicolon, a line end or the end.
   */
  private static final Pattern PIECE =
      Pattern.compile(
          "\\s+|(?<=: )%s (?:%s|[^;\n])*;?|(?:%s|\\S)+"
              .formatted(Pattern.quote(Launcher.name()), QUOTED, QUOTED));

  private WrappedText() {}

  /** The text with line ends in place of some blanks. */
  static String of(String text, int columns) {
    StringBuilder wrapped = new StringBuilder();
    int length = 0;
    String before = "";
    Matcher pieces = PIECE.matcher(text);
    while (pieces.find()) {
      String piece = pieces.group();
      if (piece.isBlank()) {
        before = piece;
        continue;
      }
      boolean fits = length + before.length() + piece.length() <= columns;
      boolean breaks = before.equals(" ") && !fits;
      wrapped.append(breaks ? "\n" + MARGIN : before).append(piece);
      int lineEnd = before.lastIndexOf('\n');
      int from = breaks ? MARGIN.length() : lineEnd < 0 ? length + before.length() : 0;
      length = from + piece.length();
      before = "";
    }
    return wrapped.append(before).toString();
  }
}
