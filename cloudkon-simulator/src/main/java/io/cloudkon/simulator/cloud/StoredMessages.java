package io.cloudkon.simulator.cloud;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one queue: those that wait, those that were received and are hidden, and those
 * whose deletion will not last. Messages expire after the queue's retention.
 */
final class StoredMessages<M> {
  private static final long MOST_HIDDEN = 12 * 3_600_000_000L;

  private final Network network;
  private final CloudSettings settings;
  private final Consumer<M> lost;
  private final SplittableRandom random;
  private final Runnable arrived;
  private final VisibleMessages<M> visible;
  private final HiddenMessages<M> hidden;
  private Runnable moved = () -> {};
  private @Nullable Line<M> line;
  private long shown;
  private int inLimbo;
  private int mostInFlight;
  private int mostWaiting;
  private long overLimit;

  /**
   * An empty store.
   *
   * @param lost receives the bodies that expire
   * @param arrived called after a message became receivable
   */
  StoredMessages(
      Network network,
      CloudSettings settings,
      Consumer<M> lost,
      SplittableRandom random,
      Runnable arrived) {
    this.network = network;
    this.settings = settings;
    this.lost = lost;
    this.random = random;
    this.arrived = arrived;
    this.visible = new VisibleMessages<>(settings.disorder(), random);
    this.hidden = new HiddenMessages<>(network.timeline(), this::show);
  }

  /**
   * Makes its messages wait in this line from now on; each receive from {@code other} advances
   * them.
   */
  void standIn(Line<M> of, StoredMessages<?> other) {
    line = of;
    other.moved = this::moveUp;
  }

  /** Whether a receive finds a message. */
  boolean anyVisible() {
    return visible.size() > 0;
  }

  /** Since when the message waits that waits longest, in microseconds; the present if none does. */
  long waitsSince() {
    long[] since = {network.timeline().now()};
    visible.forEach(message -> since[0] = Math.min(since[0], message.shownAt));
    return since[0];
  }

  int waiting() {
    return visible.size() + (line == null ? 0 : line.size());
  }

  long shown() {
    return shown;
  }

  int inFlight() {
    return hidden.size();
  }

  int mostWaiting() {
    return mostWaiting;
  }

  int mostInFlight() {
    return mostInFlight;
  }

  long overLimit() {
    return overLimit;
  }

  /** Whether it is empty and no deleted message will come back. */
  boolean empty() {
    return waiting() == 0 && hidden.size() == 0 && inLimbo == 0;
  }

  /** Passes on the bodies of messages that have been visible since before this time. */
  void visibleSinceBefore(long micros, Consumer<M> consumer) {
    visible.forEach(message -> {
      if (message.shownAt < micros) {
        consumer.accept(message.body);
      }
    });
  }

  /** Gives up all messages that can be received now or later. */
  void loseAll() {
    visible.forEach(message -> lost.accept(message.body));
    hidden.forEach(message -> lost.accept(message.body));
  }

  void store(Message<M> message) {
    waits(message);
    mostWaiting = Math.max(mostWaiting, waiting());
    arrived.run();
  }

  private void waits(Message<M> message) {
    shown++;
    message.shownAt = network.timeline().now();
    if (line == null) {
      visible.add(message);
    } else {
      line.add(message);
      line.moveUp(visible::add);
    }
  }

  private void moveUp() {
    if (line != null) {
      line.moveUp(visible::add);
      arrived.run();
    }
  }

  private void show(Message<M> message) {
    hidden.release(message);
    if (!expires(message)) {
      waits(message);
      arrived.run();
    }
  }

  private boolean expires(Message<M> message) {
    boolean old = network.timeline().now() - message.sentAt > settings.retentionMillis() * 1000;
    if (old) {
      message.gone = true;
      lost.accept(message.body);
    }
    return old;
  }

  /** Receives up to this many messages and hides them; null if too many are in flight. */
  @Nullable List<Delivery<M>> take(int max, long hideMicros) {
    List<Delivery<M>> taken = new ArrayList<>(Math.min(max, visible.size()));
    if (visible.size() > 0 && hidden.size() >= settings.inFlight()) {
      overLimit++;
      return null;
    }
    while (taken.size() < max && visible.size() > 0 && hidden.size() < settings.inFlight()) {
      Message<M> message = visible.take();
      if (expires(message)) {
        continue;
      }
      message.receives++;
      message.receivedAt = network.timeline().now();
      hidden.hide(message, hideMicros);
      taken.add(new Delivery<>(message, message.receives));
    }
    mostInFlight = Math.max(mostInFlight, hidden.size());
    moved.run();
    return taken;
  }

  void delete(Delivery<M> delivery) {
    Message<M> message = delivery.message();
    // With the handle of an earlier receive, a deletion may have no effect.
    boolean old = delivery.receives() != message.receives || message.hiddenUntil == 0;
    if (message.gone || message.hiddenUntil == 0 || (old && random.nextBoolean())) {
      return;
    }
    hidden.release(message);
    message.gone = true;
    if (network.faults().limbo()) {
      comesBack(message);
    }
  }

  private void comesBack(Message<M> deleted) {
    inLimbo++;
    Message<M> again = new Message<>(deleted.body, deleted.bytes, deleted.sentAt);
    again.receives = deleted.receives;
    network
        .timeline()
        .in(
            network.faults().lateness(),
            () -> {
              inLimbo--;
              store(again);
            });
  }

  /** Hides a received message for this time from now; 0 makes it visible at once. */
  void hide(Delivery<M> delivery, long micros) {
    Message<M> message = delivery.message();
    boolean mine = !message.gone && message.hiddenUntil > 0;
    long now = network.timeline().now();
    if (!mine
        || delivery.receives() != message.receives
        || now + micros > message.receivedAt + MOST_HIDDEN) {
      return;
    }
    if (micros == 0) {
      show(message);
    } else {
      hidden.hide(message, micros);
    }
  }
}
