package io.cloudkon.client.run;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.lease.LeaseFinding;
import io.cloudkon.core.protocol.lease.SeenLease;
import java.util.Optional;

/** A run's entry as this client wrote it last, and what it is to say next. Thread safe. */
final class LeaseEntry {
  private RunEntry written;
  private RunEntry tried;
  private String queue;

  LeaseEntry(RunEntry written) {
    this.written = written;
    this.tried = written;
    this.queue = written.responseQueue();
  }

  /** As it stands in the store, as far as is known. */
  synchronized RunEntry written() {
    return written;
  }

  /** The version that was made last stands in the store. */
  synchronized void accepted() {
    written = tried;
  }

  /** From its next version on, results go to this queue. */
  synchronized void moveTo(String newQueue) {
    queue = newQueue;
  }

  /** The queue that its next version names. */
  synchronized String queue() {
    return queue;
  }

  /** Whether the store shows where results go. */
  synchronized boolean published() {
    return written.responseQueue().equals(queue);
  }

  /** Makes its next version. */
  synchronized RunEntry next(
      RunEntry.State state, long now, long leaseMillis, RunLease.Progress reached) {
    long leaseEnd = SeenLease.endOf(now, written.updatedMillis(), leaseMillis);
    RunEntry next =
        written
            .with(state, leaseEnd, reached.tasks(), reached.sent(), reached.counts(), now)
            .with(reached.remaining());
    tried = published() ? next : next.answeredAt(queue, now);
    return tried;
  }

  /**
   * What the version that was refused has met: the run is still this client's if it is open, or
   * cancelled and to be settled, or ended as it was to be. An entry that was to end the run, or to
   * let it go, may stand there already, from an earlier try of which the answer was lost.
   */
  synchronized LeaseFinding met(Optional<RunEntry> found) {
    if (found.isEmpty() || !found.get().epoch().equals(tried.epoch())) {
      return new LeaseFinding.Gone();
    }
    RunEntry now = found.get();
    if (!now.holder().equals(tried.holder())) {
      return new LeaseFinding.Other(now.lease());
    }
    if (now.state() == RunEntry.State.ENDED && tried.state() != RunEntry.State.ENDED) {
      return new LeaseFinding.Gone();
    }
    written = now;
    boolean hasLetGo = tried.lease().letGo() && now.lease().letGo() && now.state() == tried.state();
    return hasLetGo ? new LeaseFinding.LetGo() : new LeaseFinding.Mine();
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
