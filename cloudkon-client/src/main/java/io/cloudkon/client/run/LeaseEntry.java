package io.cloudkon.client.run;

import io.cloudkon.core.port.RunEntry;
import java.util.Optional;

/** A run's entry as this client wrote it last, and what it is to say next. Thread safe. */
final class LeaseEntry {
  private RunEntry written;
  private String queue;

  LeaseEntry(RunEntry written) {
    this.written = written;
    this.queue = written.responseQueue();
  }

  /** As it stands in the store, as far as is known. */
  synchronized RunEntry written() {
    return written;
  }

  /** It stands in the store like this now. */
  synchronized void written(RunEntry entry) {
    written = entry;
  }

  /** From its next version on, results go to this queue. */
  synchronized void moveTo(String newQueue) {
    queue = newQueue;
  }

  /** Whether the store shows where results go. */
  synchronized boolean published() {
    return written.responseQueue().equals(queue);
  }

  /**
   * Its next version. If the clock was set back, its lease counts from the last version all the
   * same: one that ended before it was written would pass for let go.
   */
  synchronized RunEntry next(
      RunEntry.State state, long now, long leaseMillis, RunLease.Progress reached) {
    long leaseEnd = Math.max(now, written.updatedMillis() + 1) + leaseMillis;
    RunEntry next =
        written
            .with(state, leaseEnd, reached.tasks(), reached.sent(), reached.counts(), now)
            .with(reached.remaining());
    return published() ? next : next.answeredAt(queue, now);
  }

  /**
   * Whether the run is still this client's, by what stands in the store where its entry was
   * refused: open, or cancelled and to be settled, or ended as it was to be.
   */
  static boolean isGoneOnWith(RunEntry mine, Optional<RunEntry> found) {
    return found.isPresent()
        && found.get().holder().equals(mine.holder())
        && found.get().epoch().equals(mine.epoch())
        && (found.get().state() != RunEntry.State.ENDED || mine.state() == RunEntry.State.ENDED);
  }

  /**
   * Whether an entry that was to end the run, or to let it go, stands in the store already, from an
   * earlier try of which the answer was lost.
   */
  static boolean hasLetGo(RunEntry mine, RunEntry found) {
    boolean lets = mine.leaseEnd() <= mine.updatedMillis();
    return lets && found.state() == mine.state() && found.leaseEnd() <= found.updatedMillis();
  }

  /** Why the store shows something else than this client's entry. */
  String whyLost(Optional<RunEntry> found) {
    String run = written().run();
    if (found.isEmpty()) {
      return "run %s is in the table of runs no more; this client ends, and leaves its results where they are"
          .formatted(run);
    }
    return found.get().holder().equals(written().holder())
        ? "run %s has ended by another hand; this client ends".formatted(run)
        : "run %s is collected by another client now, %s (client %s); this one ends and has changed nothing since"
            .formatted(run, found.get().host(), found.get().holder());
  }
}
