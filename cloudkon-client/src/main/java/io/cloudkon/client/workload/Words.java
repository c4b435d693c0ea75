package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Splits a line into words much as a shell does, but expands nothing:
 *
 * <ul>
 *   <li>blanks and tabs separate words;
 *   <li>between single quotes every character stands for itself;
 *   <li>between double quotes a backslash makes a following {@code "} or {@code \} stand for
 *       itself; before any other character the backslash is kept;
 *   <li>elsewhere a backslash makes the next character stand for itself;
 *   <li>quoted and unquoted parts that touch are one word; {@code ''} is an empty word.
 * </ul>
 */
final class Words {
  private byte[] line = {};
  private int position;
  private int limit;

  private byte[] unquoted = new byte[256];

  /**
   * Whether the current word is in the line itself, because it has no quotes; otherwise it is in
   * {@link #unquoted}.
   */
  private boolean inLine;

  private int start;
  private int end;

  void reset(byte[] bytes, int from, int to) {
    line = bytes;
    position = from;
    limit = to;
  }

  /** Moves to the next word; returns false at the end of the line. */
  boolean next() throws BadLineException {
    position = LineParser.skipBlanks(line, position, limit);
    if (position == limit) {
      return false;
    }
    start = position;
    for (int i = position; ; i++) {
      if (i == limit || LineParser.isBlank(line[i])) {
        inLine = true;
        end = i;
        position = i;
        return true;
      }
      if (line[i] == '"' || line[i] == '\'' || line[i] == '\\') {
        unquote();
        return true;
      }
    }
  }

  boolean isEmpty() {
    return start == end;
  }

  String word() {
    return new String(inLine ? line : unquoted, start, end - start, UTF_8);
  }

  private void unquote() throws BadLineException {
    if (unquoted.length < limit - position) {
      unquoted = new byte[Math.max(limit - position, 2 * unquoted.length)];
    }
    inLine = false;
    start = 0;
    end = 0;
    while (position < limit && !LineParser.isBlank(line[position])) {
      byte c = line[position++];
      switch (c) {
        case '\'' -> copyQuoted(c);
        case '"' -> copyQuoted(c);
        case '\\' -> {
          if (position == limit) {
            throw new BadLineException(
                "nothing follows the backslash at the end of the line",
                "expected \\\\ for a backslash, or the argument in single quotes");
          }
          unquoted[end++] = line[position++];
        }
        default -> unquoted[end++] = c;
      }
    }
  }

  private void copyQuoted(byte quote) throws BadLineException {
    int opened = position - 1;
    while (position < limit && line[position] != quote) {
      if (quote == '"' && line[position] == '\\' && escapes(position + 1)) {
        position++;
      }
      unquoted[end++] = line[position++];
    }
    if (position == limit) {
      throw new BadLineException(
          "the quote is never closed: " + Excerpt.quote(line, opened, limit),
          "expected a closing " + (char) quote + ", or \\" + (char) quote + " for the character");
    }
    position++;
  }

  private boolean escapes(int at) {
    return at < limit && (line[at] == '"' || line[at] == '\\');
  }
}
