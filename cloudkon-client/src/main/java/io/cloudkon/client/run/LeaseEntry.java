package io.cloudkon.client.run;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.lease.LeaseFinding;
import io.cloudkon.core.protocol.lease.SeenLease;
import java.util.Optional;

/**
 * The entry of a run that this client wrote last, and the content of its next version. Thread safe.
 */
final class LeaseEntry {
  private RunEntry written;
  private RunEntry tried;
  private String queue;

  LeaseEntry(RunEntry written) {
    this.written = written;
    this.tried = written;
    this.queue = written.responseQueue();
  }

  /** The entry in the store, as far as is known. */
  synchronized RunEntry written() {
    return written;
  }

  /** Records that the store accepted the version that was made last. */
  synchronized void accepted() {
    written = tried;
  }

  /** Sets the queue that results go to from the next version on. */
  synchronized void moveTo(String newQueue) {
    queue = newQueue;
  }

  /** The queue that its next version names. */
  synchronized String queue() {
    return queue;
  }

  /** Whether the entry in the store names the queue that results go to. */
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
   * Interprets the entry that was found after a version was refused. The run is still this client's
   * if it is open, or cancelled and to be settled, or ended as intended. An entry that was to end
   * the run or release it may be there already, from an earlier try whose answer was lost.
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

  /** The reason why the store holds another entry than this client's. */
  String whyLost(Optional<RunEntry> found) {
    String run = written().run();
    if (found.isEmpty()) {
      return "run %s is no longer in the table of runs; this client ends and leaves its results where they are"
          .formatted(run);
    }
    return found.get().holder().equals(written().holder())
        ? "run %s was ended by another process; this client ends".formatted(run)
        : "run %s is now collected by another client, %s (client %s); this client ends and has changed nothing since"
            .formatted(run, found.get().host(), found.get().holder());
  }
}
