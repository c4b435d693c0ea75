package io.cloudkon.client.status;

import java.util.ArrayList;
import java.util.List;

/** A cluster's status as it fits a window: long lists are cut, and say so. Stateless. */
final class StatusScreen {
  private StatusScreen() {}

  /**
   * The lines of the screen; at most so many, each at most so wide.
   *
   * @param title its first line
   * @param note what is wrong with what is shown; empty if nothing is
   */
  static List<String> lines(
      ClusterStatus status, String title, String note, int rows, int columns) {
    int workers = Math.min(status.workers().size(), rows);
    int runs = Math.min(status.runs().size(), rows);
    List<String> lines = all(status, title, note, workers, runs);
    while (lines.size() > rows && workers + runs > 0) {
      if (workers > runs) {
        workers--;
      } else {
        runs--;
      }
      lines = all(status, title, note, workers, runs);
    }
    return fit(lines, rows, columns);
  }

  private static List<String> all(
      ClusterStatus status, String title, String note, int workers, int runs) {
    List<String> lines = new ArrayList<>();
    lines.add(title);
    lines.add(note);
    lines.addAll(StatusText.head(status));
    lines.add("");
    lines.addAll(StatusText.workers(status, workers));
    lines.add("");
    lines.addAll(StatusText.runs(status, runs));
    return lines;
  }

  /** Lines cut to a window. */
  static List<String> fit(List<String> lines, int rows, int columns) {
    List<String> shown = new ArrayList<>(lines.subList(0, Math.min(lines.size(), rows)));
    if (lines.size() > rows && rows > 0) {
      shown.set(rows - 1, "and %s more".formatted(Say.count(lines.size() - rows + 1, "line")));
    }
    return shown.stream().map(line -> Say.cut(line, columns)).toList();
  }
}
