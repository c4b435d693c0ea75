package io.cloudkon.client.report;

import io.cloudkon.core.cli.Printable;

/**
 * The lines of {@code --serve} that were no tasks. Immutable.
 *
 * @param count their number, at least 1
 * @param first the message about the first one, which names its line
 */
public record RefusedLines(long count, String first) {
  /** The most characters of the message. */
  private static final int MOST = 160;

  /** Their number and the first message, for people. */
  String text() {
    String shown = first.length() <= MOST ? first : first.substring(0, MOST) + "…";
    return "%s (%s%s)"
        .formatted(
            Wording.count(count, "line"), count > 1 ? "the first: " : "", Printable.line(shown));
  }
}
