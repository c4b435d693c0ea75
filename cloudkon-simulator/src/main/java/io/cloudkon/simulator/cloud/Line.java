package io.cloudkon.simulator.cloud;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Messages of a queue that share the order of another queue, as if both were one. A message becomes
 * receivable once the messages that waited in the other queue before it have been received, except
 * for the number among which a receive picks. A message that is put back or becomes visible again
 * goes to the end. The other queue never waits for these messages.
 */
final class Line<M> {
  private record Entry<M>(Message<M> message, long before) {}

  private final SimQueue<?> queue;
  private final int among;
  private final Deque<Entry<M>> entries = new ArrayDeque<>();

  /**
   * An empty line.
   *
   * @param queue the queue whose order is shared
   * @param among the number of oldest messages among which a receive picks
   */
  Line(SimQueue<?> queue, int among) {
    this.queue = queue;
    this.among = among;
  }

  int size() {
    return entries.size();
  }

  /** Adds a message behind everything that is there. */
  void add(Message<M> message) {
    entries.add(new Entry<>(message, queue.shown()));
  }

  /** Passes on the messages that have become receivable. */
  void moveUp(Consumer<Message<M>> reached) {
    while (!entries.isEmpty() && entries.element().before() - queue.received() < among) {
      reached.accept(entries.remove().message());
    }
  }
}
