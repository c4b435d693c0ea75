package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.cloud.LongPolls.Poll;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An SQS standard queue: at-least-once delivery, weak ordering, visibility timeouts, long polls,
 * limits, retention, and deletions that may not last.
 *
 * @param <M> the type of its messages' bodies
 */
public final class SimQueue<M> {
  private final String name;
  private final Network network;
  private final CloudSettings settings;
  private final QueueCalls calls;
  private final ToIntFunction<M> bytes;
  private final Consumer<M> accepted;
  private final StoredMessages<M> messages;
  private final LongPolls<M> polls;
  private boolean removed;

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
    this.messages = new StoredMessages<>(network, settings, lost, random, this::serve);
    this.polls = new LongPolls<>(network, calls.receive, this::take);
  }

  public String name() {
    return name;
  }

  /** Makes its messages share the order of the other queue from now on, as if both were one. */
  void standInLineOf(SimQueue<?> other) {
    messages.standIn(new Line<>(other, settings.disorder()), other.messages);
  }

  /** The number of messages that wait. */
  public int waiting() {
    return messages.waiting();
  }

  /** Since when the message waits that waits longest, in microseconds; the present if none does. */
  public long waitsSince() {
    return messages.waitsSince();
  }

  /** How often a message became receivable: sent, put back or visible again. */
  long shown() {
    return messages.shown();
  }

  /** How often a waiting message was received. */
  long received() {
    return shown() - waiting();
  }

  /** The number of messages that were received but not deleted. */
  public int inFlight() {
    return messages.inFlight();
  }

  /** The maximum number of messages that waited at a time. */
  public int mostWaiting() {
    return messages.mostWaiting();
  }

  /** The maximum number of messages in flight at a time. */
  public int mostInFlight() {
    return messages.mostInFlight();
  }

  /** The number of receives that were refused because too many messages were in flight. */
  public long overLimit() {
    return messages.overLimit();
  }

  /** Whether it is empty and no deleted message will come back. */
  public boolean empty() {
    return messages.empty();
  }

  /** Passes on the bodies of messages that have been visible since before this time. */
  public void visibleSinceBefore(long micros, Consumer<M> consumer) {
    messages.visibleSinceBefore(micros, consumer);
  }

  /** Removes the queue. */
  public void remove() {
    removed = true;
    messages.loseAll();
    polls.endAll();
  }

  public boolean removed() {
    return removed;
  }

  /** Sends a batch of at most ten messages. */
  public void send(SimProcess caller, List<M> batch, Reply<Sent> reply) {
    long size = 0;
    for (M body : batch) {
      size += bytes.applyAsInt(body);
    }
    network.call(
        caller,
        calls.send,
        name,
        QueueCalls.units(size),
        () -> "sends " + batch + " to " + name,
        () -> accept(batch),
        reply);
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
        messages.store(message(batch.get(i)));
        if (network.faults().duplicated()) {
          messages.store(message(batch.get(i)));
        }
      }
    }
    return refused.isEmpty() ? Sent.all() : new Sent(false, refused);
  }

  private Message<M> message(M body) {
    return new Message<>(body, bytes.applyAsInt(body), network.timeline().now());
  }

  private void serve() {
    polls.serve(messages);
  }

  /**
   * Receives up to this many messages, waiting for the first one. The answer is empty if none came.
   * If the queue is gone, the answer is null, without a wait.
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
                    () -> arrived(new Poll<>(caller, max, hideMicros, there, reply), waitMicros)));
  }

  private void arrived(Poll<M> poll, long waitMicros) {
    long back = poll.back;
    if (network.refuses(poll.caller, calls.receive, name, back, poll.reply)) {
      return;
    }
    Fate fate = network.faults().fate(calls.receive);
    boolean inVain = fate == Fate.THROTTLED || fate == Fate.EFFECT_LATE;
    if (removed || inVain || poll.caller.reachesNoQueue()) {
      network.answer(poll.caller, back, null, poll.reply);
      return;
    }
    List<Delivery<M>> taken = take(poll.max, poll.hideMicros);
    boolean answerLost = fate == Fate.ANSWER_LOST;
    if (taken != null && taken.isEmpty() && waitMicros > 0) {
      polls.add(poll, waitMicros, answerLost);
    } else {
      network.answer(poll.caller, back, answerLost ? null : taken, poll.reply);
    }
  }

  /** Takes messages and counts their billing units; null if too many are in flight. */
  private @Nullable List<Delivery<M>> take(int max, long hideMicros) {
    List<Delivery<M>> taken = messages.take(max, hideMicros);
    if (taken != null) {
      long size = taken.stream().mapToLong(delivery -> delivery.message().bytes).sum();
      network.counts().more(calls.receive, QueueCalls.units(size) - 1);
    }
    return taken;
  }

  /** Deletes a batch of at most ten messages; the answer tells which entries were refused. */
  public void delete(SimProcess caller, List<Delivery<M>> batch, Reply<Sent> reply) {
    network.call(
        caller,
        calls.delete,
        name,
        1,
        () -> "deletes " + batch.stream().map(Delivery::body).toList() + " from " + name,
        () -> {
          BitSet refused = new BitSet();
          for (int i = 0; i < batch.size(); i++) {
            if (network.faults().refusesEntry()) {
              refused.set(i);
            } else {
              messages.delete(batch.get(i));
            }
          }
          return removed ? Sent.nowhere() : new Sent(false, refused);
        },
        reply);
  }

  /**
   * A received message that is to be hidden for this time from now, in microseconds; 0 makes it
   * visible at once. Has no effect if that would end later than SQS allows, 12 hours after the
   * receive.
   */
  public record Hiding<M>(Delivery<M> delivery, long micros) {
    @Override
    public String toString() {
      return "%s for %d ms".formatted(delivery.body(), micros / 1000);
    }
  }

  /** Hides a received message. */
  public void hide(SimProcess caller, Delivery<M> delivery, long micros, Reply<Sent> reply) {
    hide(caller, List.of(new Hiding<>(delivery, micros)), reply);
  }

  /** Hides a batch of at most ten messages; the answer tells which entries were refused. */
  public void hide(SimProcess caller, List<Hiding<M>> batch, Reply<Sent> reply) {
    network.call(
        caller,
        calls.visibility,
        name,
        1,
        () -> "hides " + batch,
        () -> {
          BitSet refused = new BitSet();
          for (int i = 0; i < batch.size(); i++) {
            if (network.faults().refusesEntry()) {
              refused.set(i);
            } else {
              messages.hide(batch.get(i).delivery(), batch.get(i).micros());
            }
          }
          return removed ? Sent.nowhere() : new Sent(false, refused);
        },
        reply);
  }
}
