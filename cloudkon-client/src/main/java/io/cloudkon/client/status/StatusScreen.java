package io.cloudkon.client.status;

import java.util.ArrayList;
import java.util.List;

/** Fits a cluster's status into a window: long lists are cut, with a note. Stateless. */
final class StatusScreen {
  private StatusScreen() {}

  /**
   * The lines of the screen, at most {@code rows} lines of at most {@code columns} characters.
   *
   * @param title its first line
   * @param note a problem with what is shown; empty if there is none
   * @param columns the width at which the head is wrapped and the rest is cut
   */
  static List<String> lines(
      ClusterStatus status, String title, String note, int rows, int columns) {
    int workers = Math.min(status.workers().size(), rows);
    int jobs = Math.min(jobs(status), rows);
    int runs = Math.min(status.runs().size(), rows);
    List<String> head = head(status, title, note, columns);
    List<String> lines = all(status, head, workers, jobs, runs);
    while (lines.size() > rows && workers + jobs + runs > 0) {
      if (workers > Math.max(jobs, runs)) {
        workers--;
      } else if (jobs > runs) {
        jobs--;
      } else {
        runs--;
      }
      lines = all(status, head, workers, jobs, runs);
    }
    return fit(lines, rows, columns);
  }

  /** The length of the longer of the two lists of HPC jobs. */
  private static int jobs(ClusterStatus status) {
    HpcStatus hpc = status.hpc();
    return Math.max(hpc.gangs().size(), hpc.waiting(status.atMillis()).size());
  }

  /** The lines of the head, which are wrapped and not cut because they are important. */
  private static List<String> head(ClusterStatus status, String title, String note, int columns) {
    List<String> lines = new ArrayList<>();
    lines.add(title);
    lines.addAll(Say.wrap(note, columns));
    StatusText.head(status).forEach(line -> lines.addAll(Say.wrap(line, columns)));
    return lines;
  }

  private static List<String> all(
      ClusterStatus status, List<String> head, int workers, int jobs, int runs) {
    List<String> lines = new ArrayList<>(head);
    lines.add("");
    lines.addAll(StatusText.workers(status, workers));
    lines.add("");
    List<String> hpc = HpcText.lines(status, jobs);
    if (!hpc.isEmpty()) {
      lines.addAll(hpc);
      lines.add("");
    }
    lines.addAll(StatusText.runs(status, runs));
    return lines;
  }

  /** Cuts lines to a window. */
  static List<String> fit(List<String> lines, int rows, int columns) {
    List<String> shown = new ArrayList<>(lines.subList(0, Math.min(lines.size(), rows)));
    if (lines.size() > rows && rows > 0) {
      shown.set(rows - 1, "and %s more".formatted(Say.count(lines.size() - rows + 1, "line")));
    }
    return shown.stream().map(line -> Say.cut(line, columns)).toList();
  }
}
