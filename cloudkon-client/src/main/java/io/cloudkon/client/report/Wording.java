package io.cloudkon.client.report;

import java.util.Locale;

/**
 * Formats numbers for people: with grouped digits, a suitable unit, and three digits where more
 * would be noise.
 */
public final class Wording {
  private static final int RATE_DECIMALS = 6;

  private Wording() {}

  /** {@code 1,234}. */
  public static String number(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  /** {@code 1 task}, {@code 1,234 tasks}. */
  public static String count(long n, String noun) {
    return number(n) + ' ' + noun + (n == 1 ? "" : "s");
  }

  /**
   * Three significant digits, but at most two decimals and all digits before the point: 0.12, 12.3,
   * 12,345.
   */
  public static String threeDigits(double value) {
    // The limits are where rounding would show a fourth digit.
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /**
   * A rate a second: like {@link #threeDigits}, but three digits also below 1, as far as six
   * decimals show them: 0.00833, 0.126.
   */
  public static String perSecond(double rate) {
    if (rate <= 0 || rate >= 0.9995) {
      return threeDigits(rate);
    }
    // The limits are where rounding would show a fourth digit.
    int decimals = 3;
    for (double limit = 0.09995; rate < limit && decimals < RATE_DECIMALS; limit /= 10) {
      decimals++;
    }
    return String.format(Locale.ROOT, "%." + decimals + "f", rate);
  }

  /**
   * {@code 0.42 ms}, {@code 95.3 ms}, {@code 12.3 s}, {@code 2 min 5 s}, {@code 3 h 7 min}, {@code
   * 2 d 4 h}.
   */
  public static String duration(double seconds) {
    if (seconds < 0.9995) {
      return threeDigits(seconds * 1e3) + " ms";
    }
    if (seconds < 59.95) {
      return threeDigits(seconds) + " s";
    }
    long whole = Math.round(seconds);
    if (whole < 3600) {
      return pair(whole / 60, "min", whole % 60, "s");
    }
    if (whole < 86_400) {
      return pair(whole / 3600, "h", whole % 3600 / 60, "min");
    }
    return pair(whole / 86_400, "d", whole % 86_400 / 3600, "h");
  }

  /** Like {@link #duration}, but in whole seconds, for estimates. */
  static String roughly(double seconds) {
    return seconds > 59 ? duration(Math.max(60, seconds)) : (long) Math.ceil(seconds) + " s";
  }

  private static String pair(long large, String largeUnit, long small, String smallUnit) {
    String first = number(large) + ' ' + largeUnit;
    return small == 0 ? first : first + ' ' + small + ' ' + smallUnit;
  }

  /** {@code 900 B}, {@code 64 KB}, {@code 1.5 GB}; binary units, at most six characters. */
  public static String bytes(long bytes) {
    double value = bytes;
    String[] units = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
    int unit = 0;
    while (value >= 999.5 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    String format = unit == 0 || value >= 9.95 ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, format, value, units[unit]);
  }

  /** {@code 1,234/s}. */
  static String rate(double perSecond) {
    return perSecond(perSecond) + "/s";
  }

  /** {@code 87.4 %}. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  /** {@code about $0.0012}; small sums keep two significant digits. */
  static String dollars(double usd) {
    if (usd < 0.000_095) {
      return usd == 0 ? "$0" : "less than $0.0001";
    }
    int decimals = usd < 0.0095 ? 4 : usd < 0.095 ? 3 : 2;
    return String.format(Locale.ROOT, "about $%,." + decimals + "f", usd);
  }
}
