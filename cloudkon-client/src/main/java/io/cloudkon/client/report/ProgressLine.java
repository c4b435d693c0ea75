package io.cloudkon.client.report;

import static io.cloudkon.client.report.Wording.number;
import static io.cloudkon.client.report.Wording.rate;
import static io.cloudkon.client.report.Wording.roughly;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Formats the text of the progress display. The rate is that of the last {@value #WINDOW_SECONDS}
 * s; the time left follows from it. Not thread safe.
 */
final class ProgressLine {
  static final int WINDOW_SECONDS = 10;

  private static final int LEAST_BAR = 10;
  private static final int MOST_BAR = 30;

  private final char full;
  private final char rest;
  private final Deque<Sample> window = new ArrayDeque<>();

  private record Sample(long nanos, long done) {}

  /**
   * The text of a run that has done nothing yet.
   *
   * @param unicode whether the terminal's encoding has block characters
   */
  ProgressLine(boolean unicode) {
    full = unicode ? '\u2588' : '#';
    rest = unicode ? '\u2591' : '.';
  }

  /**
   * The current line.
   *
   * @param nanos the time by a monotonic clock, nanoseconds
   * @param earlier how many of those done had finished before the display began, and are left out
   *     of the rate
   * @param total the number of tasks; negative while it is unknown
   * @param columns the maximum width
   */
  String text(long nanos, long done, long earlier, long notSucceeded, long total, int columns) {
    double perSecond = perSecond(nanos, done - earlier);
    List<String> parts = new ArrayList<>();
    parts.add(total < 0 ? number(done) + " done" : number(done) + " of " + number(total));
    if (window.size() > 1) {
      parts.add(rate(perSecond));
    }
    if (notSucceeded > 0) {
      parts.add(number(notSucceeded) + " not succeeded");
    }
    if (total > done && perSecond > 0) {
      parts.add(roughly((total - done) / perSecond) + " left");
    }
    String text = String.join("   ", parts);
    int bar = Math.min(MOST_BAR, columns - text.length() - 8);
    if (total > 0 && bar >= LEAST_BAR) {
      int share = (int) (100 * Math.min(done, total) / total);
      text = "%s %3d %%  %s".formatted(bar(bar, share), share, text);
    }
    return text.length() <= columns ? text : text.substring(0, Math.max(0, columns));
  }

  private String bar(int columns, int share) {
    int filled = columns * share / 100;
    return String.valueOf(full).repeat(filled) + String.valueOf(rest).repeat(columns - filled);
  }

  private double perSecond(long nanos, long done) {
    window.addLast(new Sample(nanos, done));
    while (window.size() > 2 && nanos - window.getFirst().nanos > WINDOW_SECONDS * 1_000_000_000L) {
      window.removeFirst();
    }
    Sample first = window.getFirst();
    return nanos == first.nanos ? 0 : (done - first.done) * 1e9 / (nanos - first.nanos);
  }
}
