package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The receives that wait for a message at one queue, longest-waiting first. */
final class LongPolls<M> {
  private final Network network;
  private final Call call;
  private final Takes<M> takes;
  private final Deque<Poll<M>> polls = new ArrayDeque<>();

  /** Receives from the queue. */
  interface Takes<M> {
    /**
     * Takes up to this many messages and hides them for this time; null if too many are in flight.
     */
    @Nullable List<Delivery<M>> take(int max, long hideMicros);
  }

  /** A receive that waits at the service. */
  static final class Poll<M> {
    final SimProcess caller;
    final int max;
    final long hideMicros;

    /** The latency of the answer, in microseconds. */
    final long back;

    final Reply<List<Delivery<M>>> reply;
    private boolean answered;
    private boolean answerLost;

    Poll(SimProcess caller, int max, long hideMicros, long back, Reply<List<Delivery<M>>> reply) {
      this.caller = caller;
      this.max = max;
      this.hideMicros = hideMicros;
      this.back = back;
      this.reply = reply;
    }
  }

  LongPolls(Network network, Call call, Takes<M> takes) {
    this.network = network;
    this.call = call;
    this.takes = takes;
  }

  /**
   * Adds a receive, which is answered without messages after this wait.
   *
   * @param answerLost whether its answer gets lost: what it takes stays hidden, and its caller does
   *     not know
   */
  void add(Poll<M> poll, long waitMicros, boolean answerLost) {
    poll.answerLost = answerLost;
    polls.add(poll);
    network.timeline().in(waitMicros, () -> gaveUp(poll));
  }

  private void gaveUp(Poll<M> poll) {
    if (!poll.answered) {
      poll.answered = true;
      while (!polls.isEmpty() && polls.element().answered) {
        polls.remove();
      }
      send(poll, new ArrayList<>());
    }
  }

  /**
   * Gives visible messages to the waiting receives.
   *
   * @param messages of the queue
   */
  void serve(StoredMessages<M> messages) {
    while (messages.anyVisible() && !polls.isEmpty()) {
      Poll<M> poll = polls.remove();
      if (poll.answered || poll.caller.dead()) {
        continue;
      }
      List<Delivery<M>> taken = takes.take(poll.max, poll.hideMicros);
      if (taken != null && taken.isEmpty()) {
        polls.addFirst(poll);
      } else {
        answer(poll, taken);
      }
    }
  }

  /** Answers all receives, because the queue is gone. */
  void endAll() {
    for (Poll<M> poll : polls) {
      if (!poll.answered) {
        answer(poll, null);
      }
    }
    polls.clear();
  }

  private void answer(Poll<M> poll, @Nullable List<Delivery<M>> taken) {
    poll.answered = true;
    send(poll, taken);
  }

  /**
   * Sends an answer, which also gets lost if its caller was cut off, or the service failed, while
   * it waited.
   */
  private void send(Poll<M> poll, @Nullable List<Delivery<M>> taken) {
    boolean lost = poll.answerLost || poll.caller.reachesNoQueue() || network.faults().isOut(call);
    network.answer(poll.caller, poll.back, lost ? null : taken, poll.reply);
  }
}
