package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Text from outside made fit for one line of a message: cut, and without control characters. */
final class Excerpt {
  /** The most characters that a message quotes. */
  static final int MAX_CHARS = 60;

  private Excerpt() {}

  /** The text in double quotes, cut to {@link #MAX_CHARS}. */
  static String quote(String text) {
    return '"' + escape(cut(text, MAX_CHARS)) + '"';
  }

  /** The same for UTF-8 bytes; malformed ones show as replacement characters. */
  static String quote(byte[] bytes, int from, int to) {
    // A character has at most four bytes, so this is always enough to fill the quotation.
    int length = Math.min(to - from, 4 * (MAX_CHARS + 1));
    return quote(new String(bytes, from, length, UTF_8));
  }

  /**
   * Control, format and unpaired surrogate characters as {@code \}{@code u001b}, the rest as is.
   */
  static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(out, c));
    return out.toString();
  }

  /** The text itself, or its beginning and an ellipsis if it is longer than that. */
  static String cut(String text, int maxChars) {
    if (text.length() <= maxChars) {
      return text;
    }
    boolean inPair = Character.isHighSurrogate(text.charAt(maxChars - 1));
    return text.substring(0, inPair ? maxChars - 1 : maxChars) + "…";
  }

  private static void append(StringBuilder out, int c) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (isPlain(c)) {
          out.appendCodePoint(c);
        } else {
          out.append(String.format(c > 0xFFFF ? "\\U%08x" : "\\u%04x", c));
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
