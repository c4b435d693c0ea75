package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.cli.Printable;

/** Makes foreign text safe for one line of a message: shortened and without control characters. */
final class Excerpt {
  /** The most characters that a message quotes. */
  static final int MAX_CHARS = 60;

  private Excerpt() {}

  /** The text in double quotes, shortened to {@link #MAX_CHARS}. */
  static String quote(String text) {
    return '"' + Printable.line(cut(text, MAX_CHARS)) + '"';
  }

  /** The same for UTF-8 bytes; malformed ones show as replacement characters. */
  static String quote(byte[] bytes, int from, int to) {
    // A character has at most four bytes, so this is always enough to fill the quotation.
    int length = Math.min(to - from, 4 * (MAX_CHARS + 1));
    return quote(new String(bytes, from, length, UTF_8));
  }

  /** The text, or its beginning and an ellipsis if it is longer than the maximum. */
  static String cut(String text, int maxChars) {
    if (text.length() <= maxChars) {
      return text;
    }
    boolean inPair = Character.isHighSurrogate(text.charAt(maxChars - 1));
    return text.substring(0, inPair ? maxChars - 1 : maxChars) + "…";
  }
}
