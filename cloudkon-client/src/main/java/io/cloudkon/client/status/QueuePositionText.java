package io.cloudkon.client.status;

import io.cloudkon.core.model.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Describes a run's queue position in words. Stateless. */
final class QueuePositionText {
  /** The number of characters of a run's id that fit into a line of 80 columns. */
  private static final int ID = 18;

  private QueuePositionText() {}

  /** A line for the run's share of a fair cluster, and one for the tasks ahead of it. */
  static List<String> lines(QueuePosition at) {
    List<String> lines = new ArrayList<>();
    at.priority().ifPresent(priority -> lines.add(share(at, priority)));
    if (at.ahead() > 0) {
      lines.add(
          at.older() == 1
              ? "waits behind %s of run %s".formatted(tasks(at.ahead()), at.oldest())
              : "waits behind %s of %d older runs, most of %s"
                  .formatted(tasks(at.ahead()), at.older(), Say.cut(at.oldest(), ID)));
    }
    return lines;
  }

  private static String share(QueuePosition at, Priority priority) {
    return "%s priority, %.0f%% of the slots; %s; %s held back"
        .formatted(priority.label(), 100 * at.share(), inQueue(at), Say.number(at.heldBack()));
  }

  private static String inQueue(QueuePosition at) {
    return at.sentSeconds() > 0
        ? String.format(Locale.ROOT, "%.1f s of work sent", at.sentSeconds())
        : tasks(at.sent()) + " sent";
  }

  private static String tasks(long count) {
    return Say.count(count, "task");
  }
}
