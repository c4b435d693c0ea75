package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.Timeline;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * The times at which hidden messages become visible again. An entry is stale if its message has
 * since been deleted or hidden for another time; stale entries are dropped when their turn comes.
 */
final class HiddenMessages<M> {
  private record Entry<M>(long until, long order, Message<M> message)
      implements Comparable<Entry<M>> {
    @Override
    public int compareTo(Entry<M> other) {
      int byTime = Long.compare(until, other.until);
      return byTime == 0 ? Long.compare(order, other.order) : byTime;
    }

    boolean stale() {
      return message.gone || message.hiddenUntil != until;
    }
  }

  private final Timeline timeline;
  private final Consumer<Message<M>> shows;
  private final PriorityQueue<Entry<M>> entries = new PriorityQueue<>();
  private long orders;
  private long wakeAt = Long.MAX_VALUE;
  private int live;

  HiddenMessages(Timeline timeline, Consumer<Message<M>> shows) {
    this.timeline = timeline;
    this.shows = shows;
  }

  /** The number of hidden messages. */
  int size() {
    return live;
  }

  void forEach(Consumer<Message<M>> consumer) {
    for (Entry<M> entry : entries) {
      if (!entry.stale()) {
        consumer.accept(entry.message());
      }
    }
  }

  /** Hides a visible or hidden message for this many microseconds. */
  void hide(Message<M> message, long micros) {
    if (message.hiddenUntil == 0) {
      live++;
    }
    message.hiddenUntil = timeline.now() + Math.max(1, micros);
    entries.add(new Entry<>(message.hiddenUntil, orders++, message));
    wake();
  }

  /** Removes a hidden message, which becomes visible or is deleted. */
  void release(Message<M> message) {
    message.hiddenUntil = 0;
    live--;
  }

  private void wake() {
    while (!entries.isEmpty() && entries.element().stale()) {
      entries.remove();
    }
    if (entries.isEmpty() || entries.element().until() >= wakeAt) {
      return;
    }
    long at = entries.element().until();
    wakeAt = at;
    timeline.in(at - timeline.now(), () -> expired(at));
  }

  private void expired(long at) {
    if (wakeAt != at) {
      return;
    }
    wakeAt = Long.MAX_VALUE;
    while (!entries.isEmpty() && entries.element().until() <= timeline.now()) {
      Entry<M> entry = entries.remove();
      if (!entry.stale()) {
        shows.accept(entry.message());
      }
    }
    wake();
  }
}
