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
 * An SQS standard queue: at least once, in hardly any order, with visibility, long polls, limits,
 * retention, and deletions that may not last.
 *
 * @param <M> what its messages say
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
    this.polls = new LongPolls<>(network, this::take);
  }

  public String name() {
    return name;
  }

  /** From now on its messages stand in the line of that queue, as if both were one. */
  void standInLineOf(SimQueue<?> other) {
    messages.standIn(new Line<>(other, settings.disorder()), other.messages);
  }

  /** Messages that wait. */
  public int waiting() {
    return messages.waiting();
  }

  /** How often a message came to wait. */
  long shown() {
    return messages.shown();
  }

  /** How often a message that waited was received. */
  long received() {
    return shown() - waiting();
  }

  /** Messages that were received and not deleted. */
  public int inFlight() {
    return messages.inFlight();
  }

  /** The most that ever waited at a time. */
  public int mostWaiting() {
    return messages.mostWaiting();
  }

  /** The most that ever were in flight at a time. */
  public int mostInFlight() {
    return messages.mostInFlight();
  }

  /** Receives that were refused because too many messages were in flight. */
  public long overLimit() {
    return messages.overLimit();
  }

  /** Whether it holds nothing, and nothing deleted will come back. */
  public boolean empty() {
    return messages.empty();
  }

  /** There is no such queue any more. */
  public void remove() {
    removed = true;
    messages.loseAll();
    polls.endAll();
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
                    () -> arrived(new Poll<>(caller, max, hideMicros, there, reply), waitMicros)));
  }

  private void arrived(Poll<M> poll, long waitMicros) {
    long back = poll.back;
    if (network.refuses(poll.caller, calls.receive, name, back, poll.reply)) {
      return;
    }
    Fate fate = network.faults().fate(calls.receive);
    if (removed || fate == Fate.THROTTLED || fate == Fate.EFFECT_LATE) {
      network.answer(poll.caller, back, null, poll.reply);
      return;
    }
    List<Delivery<M>> taken = take(poll.max, poll.hideMicros);
    if (taken == null || fate == Fate.ANSWER_LOST) {
      network.answer(poll.caller, back, null, poll.reply);
    } else if (!taken.isEmpty() || waitMicros == 0) {
      network.answer(poll.caller, back, taken, poll.reply);
    } else {
      polls.add(poll, waitMicros);
    }
  }

  /** Null where too many are in flight. */
  private @Nullable List<Delivery<M>> take(int max, long hideMicros) {
    List<Delivery<M>> taken = messages.take(max, hideMicros);
    if (taken != null) {
      long size = taken.stream().mapToLong(delivery -> delivery.message().bytes).sum();
      network.counts().more(calls.receive, QueueCalls.units(size) - 1);
    }
    return taken;
  }

  /** Deletes a batch of at most ten; says which could not be. */
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
   * Hides a received message for so long from now; 0 shows it at once. Nothing changes where that
   * would end later than SQS allows: 12 hours from its receive.
   */
  public void hide(SimProcess caller, Delivery<M> delivery, long micros, Reply<Boolean> reply) {
    network.call(
        caller,
        calls.visibility,
        name,
        1,
        () -> "hides %s for %d ms".formatted(delivery.body(), micros / 1000),
        () -> {
          messages.hide(delivery, micros);
          return true;
        },
        reply);
  }
}
