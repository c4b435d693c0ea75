package io.cloudkon.simulator.cloud;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Messages of a queue that stand in the line of another one, as if both were one queue: each comes
 * within reach once what waited in that line before it has been received, but for as many as a
 * receive picks among. What is put back, or shows again, goes to the end. Nothing of the other
 * queue ever waits for one of these.
 */
final class Line<M> {
  private record Entry<M>(Message<M> message, long before) {}

  private final SimQueue<?> queue;
  private final int among;
  private final Deque<Entry<M>> entries = new ArrayDeque<>();

  /**
   * A line in which nothing stands.
   *
   * @param queue whose line it is
   * @param among how many of the oldest a receive picks from
   */
  Line(SimQueue<?> queue, int among) {
    this.queue = queue;
    this.among = among;
  }

  int size() {
    return entries.size();
  }

  /** Comes behind whatever is there. */
  void add(Message<M> message) {
    entries.add(new Entry<>(message, queue.shown()));
  }

  /** Hands over what is within reach by now. */
  void moveUp(Consumer<Message<M>> reached) {
    while (!entries.isEmpty() && entries.element().before() - queue.received() < among) {
      reached.accept(entries.remove().message());
    }
  }
}
