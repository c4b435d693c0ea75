package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An SQS standard queue: at least once, in hardly any order, with visibility, long polls, limits,
 * retention, and deletions that may not last.
 *
 * @param <M> what its messages say
 */
public final class SimQueue<M> {
  private static final int UNIT_BYTES = 64 * 1024;
  private static final long MOST_HIDDEN = 12 * 3_600_000_000L;

  private final String name;
  private final Network network;
  private final CloudSettings settings;
  private final QueueCalls calls;
  private final ToIntFunction<M> bytes;
  private final Consumer<M> accepted;
  private final Consumer<M> lost;
  private final SplittableRandom random;
  private final VisibleMessages<M> visible;
  private final HiddenMessages<M> hidden;
  private final Deque<Waiter<M>> waiters = new ArrayDeque<>();
  private Runnable moved = () -> {};
  private @Nullable Line<M> line;
  private boolean removed;
  private long shown;
  private int inLimbo;
  private int mostInFlight;
  private int mostWaiting;
  private long overLimit;

  /** The calls by which a queue is billed. */
  enum QueueCalls {
    REQUESTS(Call.REQUEST_SEND, Call.REQUEST_RECEIVE, Call.REQUEST_DELETE, Call.REQUEST_VISIBILITY),
    RESPONSES(
        Call.RESPONSE_SEND, Call.RESPONSE_RECEIVE, Call.RESPONSE_DELETE, Call.REQUEST_VISIBILITY);

    private final Call send;
    private final Call receive;
    private final Call delete;
    private final Call visibility;

    QueueCalls(Call send, Call receive, Call delete, Call visibility) {
      this.send = send;
      this.receive = receive;
      this.delete = delete;
      this.visibility = visibility;
    }
  }

  /** A long poll that waits. */
  private static final class Waiter<M> {
    final SimProcess caller;
    final int max;
    final long hideMicros;

    /** How long the answer is on its way, in microseconds. */
    final long back;

    final Reply<List<Delivery<M>>> reply;
    boolean answered;

    Waiter(SimProcess caller, int max, long hideMicros, long back, Reply<List<Delivery<M>>> reply) {
      this.caller = caller;
      this.max = max;
      this.hideMicros = hideMicros;
      this.back = back;
      this.reply = reply;
    }
  }

  SimQueue(
      String name,
      Network network,
      CloudSettings settings,
      QueueCalls calls,
      ToIntFunction<M> bytes,
      Consumer<M> accepted,
      Consumer<M> lost,
      SplittableRandom random) {
    this.name = name;
    this.network = network;
    this.settings = settings;
    this.calls = calls;
    this.bytes = bytes;
    this.accepted = accepted;
    this.lost = lost;
    this.random = random;
    this.visible = new VisibleMessages<>(settings.disorder(), random);
    this.hidden = new HiddenMessages<>(network.timeline(), this::show);
  }

  public String name() {
    return name;
  }

  /** From now on its messages stand in the line of that queue, as if both were one. */
  void standInLineOf(SimQueue<?> other) {
    line = new Line<>(other, settings.disorder());
    other.moved = this::moveUp;
  }

  /** Messages that wait. */
  public int waiting() {
    return visible.size() + (line == null ? 0 : line.size());
  }

  /** How often a message came to wait. */
  long shown() {
    return shown;
  }

  /** How often a message that waited was received. */
  long received() {
    return shown - waiting();
  }

  /** Messages that were received and not deleted. */
  public int inFlight() {
    return hidden.size();
  }

  /** The most that ever waited at a time. */
  public int mostWaiting() {
    return mostWaiting;
  }

  /** The most that ever were in flight at a time. */
  public int mostInFlight() {
    return mostInFlight;
  }

  /** Receives that were refused because too many messages were in flight. */
  public long overLimit() {
    return overLimit;
  }

  /** Whether it holds nothing, and nothing deleted will come back. */
  public boolean empty() {
    return waiting() == 0 && hidden.size() == 0 && inLimbo == 0;
  }

  /** There is no such queue any more. */
  public void remove() {
    removed = true;
    visible.forEach(message -> lost.accept(message.body));
    hidden.forEach(message -> lost.accept(message.body));
    for (Waiter<M> waiter : waiters) {
      if (!waiter.answered) {
        waiter.answered = true;
        network.answer(waiter.caller, waiter.back, null, waiter.reply);
      }
    }
    waiters.clear();
  }

  public boolean removed() {
    return removed;
  }

  /** Sends a batch of at most ten. */
  public void send(SimProcess caller, List<M> batch, Reply<Sent> reply) {
    long size = 0;
    for (M body : batch) {
      size += bytes.applyAsInt(body);
    }
    network.call(
        caller,
        calls.send,
        units(size),
        () -> "sends " + batch + " to " + name,
        () -> accept(batch),
        reply);
  }

  private static long units(long size) {
    return Math.max(1, (size + UNIT_BYTES - 1) / UNIT_BYTES);
  }

  private Sent accept(List<M> batch) {
    if (removed) {
      return Sent.nowhere();
    }
    BitSet refused = new BitSet();
    for (int i = 0; i < batch.size(); i++) {
      if (network.faults().refusesEntry()) {
        refused.set(i);
      } else {
        accepted.accept(batch.get(i));
        store(message(batch.get(i)));
        if (network.faults().duplicated()) {
          store(message(batch.get(i)));
        }
      }
    }
    return refused.isEmpty() ? Sent.all() : new Sent(false, refused);
  }

  private Message<M> message(M body) {
    return new Message<>(body, bytes.applyAsInt(body), network.timeline().now());
  }

  private void store(Message<M> message) {
    waits(message);
    mostWaiting = Math.max(mostWaiting, waiting());
    serve();
  }

  private void waits(Message<M> message) {
    shown++;
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
      serve();
    }
  }

  private void show(Message<M> message) {
    hidden.release(message);
    if (network.timeline().now() - message.sentAt > settings.retentionMillis() * 1000) {
      message.gone = true;
      lost.accept(message.body);
      return;
    }
    waits(message);
    serve();
  }

  /** Hands what is visible to who waits. */
  private void serve() {
    while (visible.size() > 0 && !waiters.isEmpty()) {
      Waiter<M> waiter = waiters.remove();
      if (waiter.answered || waiter.caller.dead()) {
        continue;
      }
      List<Delivery<M>> taken = take(waiter.max, waiter.hideMicros);
      if (taken == null) {
        waiter.answered = true;
        network.answer(waiter.caller, waiter.back, null, waiter.reply);
      } else if (taken.isEmpty()) {
        waiters.addFirst(waiter);
      } else {
        waiter.answered = true;
        network.answer(waiter.caller, waiter.back, taken, waiter.reply);
      }
    }
  }

  /**
   * Receives up to so many messages, and waits for the first one; the answer is empty if none came,
   * and null, at once, if the queue is gone.
   */
  public void receive(
      SimProcess caller,
      int max,
      long waitMicros,
      long hideMicros,
      Reply<List<Delivery<M>>> reply) {
    network.counts().add(calls.receive, 1);
    long there = network.oneWay(calls.receive);
    network
        .timeline()
        .in(
            there,
            () ->
                caller.reachesService(
                    () -> "receives from " + name,
                    () ->
                        arrived(new Waiter<>(caller, max, hideMicros, there, reply), waitMicros)));
  }

  private void arrived(Waiter<M> waiter, long waitMicros) {
    Fate fate = network.faults().fate(calls.receive);
    long back = waiter.back;
    if (removed || fate == Fate.THROTTLED || fate == Fate.EFFECT_LATE) {
      network.answer(waiter.caller, back, null, waiter.reply);
      return;
    }
    List<Delivery<M>> taken = take(waiter.max, waiter.hideMicros);
    if (taken == null || fate == Fate.ANSWER_LOST) {
      network.answer(waiter.caller, back, null, waiter.reply);
    } else if (!taken.isEmpty() || waitMicros == 0) {
      network.answer(waiter.caller, back, taken, waiter.reply);
    } else {
      waiters.add(waiter);
      network.timeline().in(waitMicros, () -> gaveUp(waiter));
    }
  }

  private void gaveUp(Waiter<M> waiter) {
    if (!waiter.answered) {
      waiter.answered = true;
      while (!waiters.isEmpty() && waiters.element().answered) {
        waiters.remove();
      }
      network.answer(waiter.caller, waiter.back, new ArrayList<>(), waiter.reply);
    }
  }

  /** Null where too many are in flight. */
  private @Nullable List<Delivery<M>> take(int max, long hideMicros) {
    List<Delivery<M>> taken = new ArrayList<>(Math.min(max, visible.size()));
    if (visible.size() > 0 && hidden.size() >= settings.inFlight()) {
      overLimit++;
      return null;
    }
    long size = 0;
    while (taken.size() < max && visible.size() > 0 && hidden.size() < settings.inFlight()) {
      Message<M> message = visible.take();
      if (network.timeline().now() - message.sentAt > settings.retentionMillis() * 1000) {
        message.gone = true;
        lost.accept(message.body);
        continue;
      }
      message.receives++;
      message.receivedAt = network.timeline().now();
      hidden.hide(message, hideMicros);
      size += message.bytes;
      taken.add(new Delivery<>(message, message.receives));
    }
    network.counts().more(calls.receive, units(size) - 1);
    mostInFlight = Math.max(mostInFlight, hidden.size());
    moved.run();
    return taken;
  }

  /** Deletes a batch of at most ten; says which could not be. */
  public void delete(SimProcess caller, List<Delivery<M>> batch, Reply<Sent> reply) {
    network.call(
        caller,
        calls.delete,
        1,
        () -> "deletes " + batch.stream().map(Delivery::body).toList() + " from " + name,
        () -> {
          BitSet refused = new BitSet();
          for (int i = 0; i < batch.size(); i++) {
            if (network.faults().refusesEntry()) {
              refused.set(i);
            } else {
              delete(batch.get(i));
            }
          }
          return removed ? Sent.nowhere() : new Sent(false, refused);
        },
        reply);
  }

  private void delete(Delivery<M> delivery) {
    Message<M> message = delivery.message();
    // With the handle of an earlier receive it may do nothing.
    boolean old = delivery.receives() != message.receives || message.hiddenUntil == 0;
    if (message.gone || message.hiddenUntil == 0 || (old && random.nextBoolean())) {
      return;
    }
    hidden.release(message);
    message.gone = true;
    if (network.faults().limbo()) {
      inLimbo++;
      Message<M> again = new Message<>(message.body, message.bytes, message.sentAt);
      again.receives = message.receives;
      network
          .timeline()
          .in(
              network.faults().lateness(),
              () -> {
                inLimbo--;
                store(again);
              });
    }
  }

  /**
   * Hides a received message for so long from now; 0 shows it at once. Nothing changes where that
   * would end later than SQS allows: 12 hours from its receive.
   */
  public void hide(SimProcess caller, Delivery<M> delivery, long micros, Reply<Boolean> reply) {
    network.call(
        caller,
        calls.visibility,
        1,
        () -> "hides %s for %d ms".formatted(delivery.body(), micros / 1000),
        () -> {
          hide(delivery, micros);
          return true;
        },
        reply);
  }

  private void hide(Delivery<M> delivery, long micros) {
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
