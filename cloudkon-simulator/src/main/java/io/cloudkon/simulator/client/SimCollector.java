package io.cloudkon.simulator.client;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Receives results and passes each to the completeness machine. */
final class SimCollector {
  private static final long LONG_POLL = 20_000_000;
  private static final long SHORT_POLL = 5_000_000;
  static final long VISIBILITY = 10_000_000;

  private static final long MOVING_POLL = 1_000_000;
  private static final int MOST_HELPERS = 30;
  private static final long LEASE_AGAIN = 500_000;

  /** The maximum time of a receive in addition to its wait. */
  private static final long ROUND_TRIP = 1_000_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final SimHeldRun held;
  private final CompletenessMachine completeness;
  private final SimResultIntake taking;
  private final SimFormerQueues former;
  private final Consumer<List<CompletenessEffect>> follow;
  private final SimReplyQueue replies;
  private final BackOff backOff;
  private boolean stopped;
  private int failures;
  private int helpers;

  SimCollector(
      World world,
      SimProcess process,
      SimRun run,
      SimHeldRun held,
      CompletenessMachine completeness,
      SimResultIntake taking,
      Consumer<List<CompletenessEffect>> follow,
      SimReplyQueue replies) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.held = held;
    this.completeness = completeness;
    this.taking = taking;
    this.former =
        new SimFormerQueues(
            world,
            process,
            held,
            completeness,
            taking,
            () -> follow.accept(completeness.follow(process.now())),
            () -> stopped);
    this.follow = follow;
    this.replies = replies;
    this.backOff = new BackOff(100, 5_000, world.random().split());
  }

  void stop() {
    stopped = true;
  }

  /** Starts reading the queues that received results before. */
  void readFormer() {
    former.begin();
  }

  /** The loop of a collecting thread, which receives again and again. */
  void receive() {
    if (stopped) {
      return;
    }
    if (!held.valid()) {
      process.in(LEASE_AGAIN, this::receive);
      return;
    }
    replies.goOnMoving();
    SimQueue<ResultMessage> queue = world.cloud().responses(held.queue());
    if (queue == null) {
      completeness.receiveFailed(process.now());
      if (held.missing(held.queue())) {
        replies.replace();
      }
      process.in(LEASE_AGAIN, this::receive);
      return;
    }
    Moment begun = process.now();
    long begunMicros = world.timeline().now();
    long wait = pollMicros();
    queue.receive(
        process,
        Limits.BATCH,
        wait,
        VISIBILITY,
        got -> received(queue, got, begun, begunMicros, wait));
  }

  /**
   * The wait of a receive: brief while another queue is still to be created, because workers may
   * look for it already.
   */
  private long pollMicros() {
    if (held.next().isPresent()) {
      return MOVING_POLL;
    }
    return completeness.provisionallyLost() > 0 ? SHORT_POLL : LONG_POLL;
  }

  private void received(
      SimQueue<ResultMessage> queue,
      @Nullable List<Delivery<ResultMessage>> got,
      Moment begun,
      long begunMicros,
      long wait) {
    if (got == null || (stopped && !got.isEmpty())) {
      taking.notTaken();
    }
    if (stopped) {
      return;
    }
    if (got == null) {
      completeness.receiveFailed(process.now());
      process.in(backOff.millis(++failures) * 1000, this::receive);
      return;
    }
    failures = 0;
    held.answered(queue.name(), got.size(), begun, wait / 1000);
    if (got.isEmpty()) {
      taking.whenValid(() -> stopped, () -> cameBackEmpty(begun, begunMicros, wait), this::receive);
      return;
    }
    completeness.received(got.size(), begun, process.now());
    if (got.size() == Limits.BATCH && helpers < MOST_HELPERS) {
      helpers++;
      process.in(0, this::receive);
    }
    if (world.twist().deletesBeforeWriting()) {
      queue.delete(process, got, sent -> take(queue, got, begun, begunMicros));
    } else {
      take(queue, got, begun, begunMicros);
    }
  }

  /**
   * Handles an empty receive. It does not cover messages that arrived after its wait while this
   * process was stopped.
   */
  private void cameBackEmpty(Moment begun, long begunMicros, long wait) {
    world.witness().nothingCame(run, begunMicros + wait);
    Moment seen = begun.plus((wait + ROUND_TRIP) / 1000);
    Moment now = process.now();
    completeness.received(0, begun, now.eitherPast(seen) ? seen : now);
    follow.accept(completeness.follow(now));
    receive();
  }

  private void take(
      SimQueue<ResultMessage> queue,
      List<Delivery<ResultMessage>> got,
      Moment begun,
      long begunMicros) {
    taking.accept(
        new ArrayDeque<>(got),
        begunMicros,
        () -> stopped,
        () -> accepted(queue, got, begun),
        this::receive);
  }

  private void accepted(
      SimQueue<ResultMessage> queue, List<Delivery<ResultMessage>> got, Moment begun) {
    completeness.received(got.size(), begun, process.now());
    follow.accept(completeness.follow(process.now()));
    if (!stopped) {
      queue.delete(process, got, sent -> receiveUnlessIdle(got.size()));
    }
  }

  /** Lets a helper thread end at the first receive that does not come back full. */
  private void receiveUnlessIdle(int got) {
    if (helpers > 0 && got < Limits.BATCH) {
      helpers--;
    } else {
      receive();
    }
  }
}
