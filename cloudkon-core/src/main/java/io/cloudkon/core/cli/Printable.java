package io.cloudkon.core.cli;

/**
 * Makes foreign text safe for a terminal. The output of tasks, the names of tasks and hosts, and
 * reasons that quote them must not move an operator's cursor, set the title of the window, or
 * change the direction of the surrounding text. Stateless and thread safe.
 */
public final class Printable {
  private Printable() {}

  /**
   * The text with its control, format (the bidirectional overrides among them) and unpaired
   * surrogate characters as {@code \}{@code u001b}; line feeds and tabs stay as they are. Within
   * strings of a JSON text, the escapes have their JSON meaning.
   */
  public static String text(String text) {
    return text.codePoints().allMatch(c -> c == '\n' || c == '\t' || isPlain(c))
        ? text
        : escaped(text, true);
  }

  /**
   * The same text as one line: line feeds, returns and tabs become {@code \n}, {@code \r}, {@code
   * \t}.
   */
  public static String line(String text) {
    return text.codePoints().allMatch(Printable::isPlain) ? text : escaped(text, false);
  }

  private static String escaped(String text, boolean lines) {
    StringBuilder out = new StringBuilder(text.length() + 20);
    text.codePoints()
        .forEach(c -> {
          if (isPlain(c) || (lines && (c == '\n' || c == '\t'))) {
            out.appendCodePoint(c);
          } else {
            escape(out, c);
          }
        });
    return out.toString();
  }

  private static void escape(StringBuilder out, int c) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        for (char half : Character.toChars(c)) {
          out.append("\\u%04x".formatted((int) half));
        }
      }
    }
  }

  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
