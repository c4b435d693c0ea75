package io.cloudkon.core.protocol.provisioning;

import java.util.Locale;

/** Formats numbers in sentences about a fleet. */
final class FleetWording {
  private FleetWording() {}

  /** {@code 1 task}, {@code 1,234 tasks}. */
  static String count(long n, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", n, noun, n == 1 ? "" : "s");
  }

  /** Whole units, rounded up: {@code 30 s}, {@code 5 min}, {@code 2 h 10 min}. */
  static String duration(double millis) {
    long seconds = (long) Math.ceil(millis / 1000);
    if (seconds < 120) {
      return seconds + " s";
    }
    long minutes = (seconds + 59) / 60;
    if (minutes < 120) {
      return minutes + " min";
    }
    String hours = String.format(Locale.ROOT, "%,d h", minutes / 60);
    return minutes % 60 == 0 ? hours : hours + ' ' + minutes % 60 + " min";
  }
}
