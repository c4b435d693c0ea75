package io.cloudkon.client.status;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats numbers, times and texts for people. Stateless. */
public final class Say {
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter RECENT_MINUTE =
      DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT);
  private static final long RECENT_MILLIS = 180L * 24 * 3600 * 1000;
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

  private Say() {}

  /** {@code 1 task}, {@code 1,234 tasks}. */
  public static String count(long count, String what) {
    return "%s %s%s".formatted(number(count), what, count == 1 ? "" : "s");
  }

  /** {@code , 2 of them preparing files}; empty if none does. */
  public static String staging(int slots) {
    return slots == 0 ? "" : ", %s of them preparing files".formatted(number(slots));
  }

  /** A constant's name in lower case. */
  static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** {@code 1,234}. */
  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 12 s}, {@code 3 min}, {@code 5 h}, {@code 2 d}: one unit, rounded down, at least 0. */
  public static String span(long millis) {
    long seconds = Math.max(0, millis) / 1000;
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 2 * 3600) {
      return seconds / 60 + " min";
    }
    return seconds < 48 * 3600 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
  }

  /** The local time of day, with the date unless it is today's. */
  public static String when(long millis, long nowMillis) {
    return when(millis, nowMillis, DAY);
  }

  /**
   * The same in few columns: to the minute if it is of another day, and without the year if it is
   * of the last 180 days.
   */
  public static String shortWhen(long millis, long nowMillis) {
    return when(millis, nowMillis, nowMillis - millis < RECENT_MILLIS ? RECENT_MINUTE : MINUTE);
  }

  private static String when(long millis, long nowMillis, DateTimeFormatter otherDay) {
    ZoneId zone = ZoneId.systemDefault();
    var at = Instant.ofEpochMilli(millis).atZone(zone);
    boolean today =
        at.toLocalDate().equals(Instant.ofEpochMilli(nowMillis).atZone(zone).toLocalDate());
    return (today ? CLOCK : otherDay).format(at);
  }

  /** The clause with a capital first letter. */
  static String sentence(String clause) {
    return clause.isEmpty() ? "" : Character.toUpperCase(clause.charAt(0)) + clause.substring(1);
  }

  /** The text, or as much of its end as fits, for texts that differ at their ends. */
  static String cutHead(String text, int columns) {
    return text.length() <= columns
        ? text
        : "..." + text.substring(text.length() - Math.max(0, columns - 3));
  }

  /**
   * Wraps a line at blanks; the lines after the first one are indented further. Words that are
   * longer than a line stay whole.
   */
  static List<String> wrap(String line, int columns) {
    String indent = " ".repeat(line.length() - line.stripLeading().length());
    List<String> lines = new ArrayList<>();
    StringBuilder current = new StringBuilder(indent);
    String gap = "";
    for (String word : line.strip().split(" ", -1)) {
      if (!gap.isEmpty() && current.length() + gap.length() + word.length() > columns) {
        lines.add(current.toString());
        current = new StringBuilder(indent).append("  ");
        gap = "";
      }
      current.append(gap).append(word);
      gap = " ";
    }
    lines.add(current.toString());
    return lines;
  }

  /** The text, or as much of its beginning as fits. */
  public static String cut(String text, int columns) {
    if (text.length() <= columns) {
      return text;
    }
    return columns < 4
        ? text.substring(0, Math.max(0, columns))
        : text.substring(0, columns - 3) + "...";
  }
}
