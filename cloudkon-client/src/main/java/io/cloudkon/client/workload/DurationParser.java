package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Parses durations as people write them: {@code 16} (milliseconds, as published), {@code 200ms},
 * {@code 0.5s}, {@code 2m}, {@code 1h}. Fractions of a millisecond are rounded up, so that no task
 * sleeps shorter than requested and no timeout becomes 0.
 */
final class DurationParser {
  /** The longest duration that is accepted: 365 days, in milliseconds. */
  static final long MAX_MILLIS = 365L * 24 * 60 * 60 * 1000;

  private static final String EXPECTED =
      "expected a number of milliseconds, or one with ms, s, m or h: 200ms, 1.5s, 2m, 1h";

  private static final int FRACTION_DIGITS = 9;

  private DurationParser() {}

  /** Parses text in the same way. */
  static long parse(String what, String text) throws BadLineException {
    byte[] bytes = text.getBytes(UTF_8);
    return parse(what, bytes, 0, bytes.length);
  }

  /** Parses a JSON number of milliseconds, which may have an exponent. */
  static long parseNumber(String what, String number) throws BadLineException {
    if (number.indexOf('e') < 0 && number.indexOf('E') < 0) {
      return parse(what, number);
    }
    double millis = Double.parseDouble(number);
    if (millis < 0) {
      throw negative(what, Excerpt.quote(number));
    }
    if (millis > MAX_MILLIS) {
      throw tooLong(what, Excerpt.quote(number));
    }
    return (long) Math.ceil(millis);
  }

  /**
   * Returns milliseconds, from 0 to {@link #MAX_MILLIS}; {@code what} names the value in messages.
   */
  static long parse(String what, byte[] bytes, int from, int to) throws BadLineException {
    int i = from;
    long whole = 0;
    for (; i < to && isDigit(bytes[i]); i++) {
      // Stops growing above the maximum: more digits cannot make it smaller again.
      whole = whole > MAX_MILLIS ? whole : whole * 10 + (bytes[i] - '0');
    }
    boolean digits = i > from;
    long fraction = 0;
    long scale = 1;
    boolean more = false;
    if (i < to && bytes[i] == '.') {
      int dot = i++;
      for (; i < to && isDigit(bytes[i]); i++) {
        if (i - dot <= FRACTION_DIGITS) {
          fraction = fraction * 10 + (bytes[i] - '0');
          scale *= 10;
        } else {
          more |= bytes[i] != '0';
        }
      }
      digits &= i > dot + 1;
    }
    long unit = unit(bytes, i, to);
    if (!digits || unit == 0) {
      throw noDuration(what, bytes, from, to);
    }
    long part = fraction * unit;
    long millis = whole * unit + part / scale + (part % scale != 0 || more ? 1 : 0);
    if (millis > MAX_MILLIS) {
      throw tooLong(what, Excerpt.quote(bytes, from, to));
    }
    return millis;
  }

  /**
   * The length in milliseconds of the unit that the remaining bytes spell; 0 if they are not a
   * unit.
   */
  private static long unit(byte[] b, int from, int to) {
    return switch (to - from) {
      case 0 -> 1;
      case 1 ->
          switch (b[from]) {
            case 's' -> 1000;
            case 'm' -> 60_000;
            case 'h' -> 3_600_000;
            default -> 0;
          };
      case 2 -> b[from] == 'm' && b[from + 1] == 's' ? 1 : 0;
      default -> 0;
    };
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static BadLineException noDuration(String what, byte[] bytes, int from, int to) {
    String quoted = Excerpt.quote(bytes, from, to);
    return to - from > 1
            && bytes[from] == '-'
            && (isDigit(bytes[from + 1]) || bytes[from + 1] == '.')
        ? negative(what, quoted)
        : new BadLineException(what + " " + quoted + " is not a duration", EXPECTED);
  }

  private static BadLineException negative(String what, String quoted) {
    return new BadLineException(what + " " + quoted + " is negative", EXPECTED);
  }

  private static BadLineException tooLong(String what, String quoted) {
    return new BadLineException(
        what + " " + quoted + " is longer than 365 days", "expected at most 365 days");
  }
}
