package io.cloudkon.client.status;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.port.RunEntry;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The position of an open run among the others that have work. In a fair cluster it has a share of
 * the slots, and its client holds back most of its tasks; elsewhere it waits for everything that
 * was sent before it.
 *
 * @param priority its client's priority; empty if the client sends everything at once
 * @param share the share of the slots that it can expect, from 0 to 1; 1 if its client has no
 *     priority
 * @param sent the number of its tasks in the queue or in work
 * @param sentSeconds the time for which they keep the live workers' slots busy; 0 if unknown
 * @param heldBack the number of tasks that its client has not sent yet
 * @param ahead the number of tasks in the queue or in work that belong to older runs without a
 *     priority
 * @param older the number of such runs
 * @param oldest the id of the one with the most of them; empty if there is none
 */
record QueuePosition(
    Optional<Priority> priority,
    double share,
    long sent,
    double sentSeconds,
    long heldBack,
    long ahead,
    int older,
    String oldest) {

  /** The position of a run; empty if it is over. */
  static Optional<QueuePosition> of(ClusterStatus status, RunEntry run) {
    long unfinished = run.tasks() - status.progress(run).finished();
    if (run.state() != RunEntry.State.OPEN || unfinished <= 0) {
      return Optional.empty();
    }
    List<RunEntry> ahead =
        status.runs().stream()
            .filter(other -> other.state() == RunEntry.State.OPEN && inQueue(status, other) > 0)
            .filter(other -> isOlder(other, run) && other.remaining().priority().isEmpty())
            .sorted(Comparator.<RunEntry>comparingLong(other -> inQueue(status, other)).reversed())
            .toList();
    long sent = inQueue(status, run);
    return Optional.of(
        new QueuePosition(
            run.remaining().priority(),
            share(status, run),
            sent,
            run.remaining().slotMicros(sent, run.sentJobs()) / 1e6 / Math.max(1, status.slots()),
            Math.max(0, unfinished - sent),
            ahead.stream().mapToLong(other -> inQueue(status, other)).sum(),
            ahead.size(),
            ahead.isEmpty() ? "" : ahead.getFirst().run()));
  }

  /** Without a client, the workers alone know what has finished. */
  private static long inQueue(ClusterStatus status, RunEntry run) {
    return Math.max(0, run.sent() - status.progress(run).finished());
  }

  private static boolean isOlder(RunEntry one, RunEntry other) {
    return one.createdMillis() < other.createdMillis()
        || (one.createdMillis() == other.createdMillis() && one.run().compareTo(other.run()) < 0);
  }

  private static double share(ClusterStatus status, RunEntry run) {
    double all =
        status.runs().stream()
            .filter(other -> other.collectedAt(status.atMillis()) && other.unfinished() > 0)
            .mapToDouble(QueuePosition::weight)
            .sum();
    return run.remaining().priority().isEmpty() ? 1 : weight(run) / Math.max(weight(run), all);
  }

  private static double weight(RunEntry run) {
    return run.remaining().priority().map(Priority::weight).orElse(0.0);
  }
}
