package io.cloudkon.simulator.client;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.world.World;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the response queues that received results before, in turn. */
final class SimFormerQueues {
  private static final long TURN = 5_000_000;
  private static final long SHORT_TURN = 1_000_000;
  private static final long AGAIN = 1_000_000;

  private final World world;
  private final SimProcess process;
  private final SimHeldRun held;
  private final CompletenessMachine completeness;
  private final SimResultIntake taking;
  private final Runnable follow;
  private final BooleanSupplier stopped;
  private boolean running;
  private int turn;

  /**
   * A reader that has not started.
   *
   * @param follow called when something was taken
   */
  SimFormerQueues(
      World world,
      SimProcess process,
      SimHeldRun held,
      CompletenessMachine completeness,
      SimResultIntake taking,
      Runnable follow,
      BooleanSupplier stopped) {
    this.world = world;
    this.process = process;
    this.held = held;
    this.completeness = completeness;
    this.taking = taking;
    this.follow = follow;
    this.stopped = stopped;
  }

  /** Reads as long as there is a former queue. */
  void begin() {
    if (!running && !held.former().isEmpty()) {
      running = true;
      read();
    }
  }

  private void read() {
    List<String> former = held.former();
    if (stopped.getAsBoolean() || former.isEmpty()) {
      running = false;
      return;
    }
    if (!held.valid()) {
      process.in(AGAIN, this::read);
      return;
    }
    String name = former.get(turn++ % former.size());
    SimQueue<ResultMessage> queue = world.cloud().responses(name);
    if (queue == null) {
      if (held.missing(name)) {
        world.trace().say(process.name(), "knows that %s is gone", name);
      }
      process.in(AGAIN / former.size(), this::read);
      return;
    }
    Moment begun = process.now();
    long begunMicros = world.timeline().now();
    boolean briefly = former.size() > 1 || completeness.provisionallyLost() > 0;
    long wait = briefly ? SHORT_TURN : TURN;
    queue.receive(
        process,
        Limits.BATCH,
        wait,
        SimCollector.VISIBILITY,
        got -> received(queue, got, begun, begunMicros, wait));
  }

  private void received(
      SimQueue<ResultMessage> queue,
      @Nullable List<Delivery<ResultMessage>> got,
      Moment begun,
      long begunMicros,
      long wait) {
    if (got == null) {
      taking.notTaken();
      held.failed(queue.name());
      process.in(AGAIN, this::read);
      return;
    }
    held.answered(queue.name(), got.size(), begun, wait / 1000);
    if (got.isEmpty()) {
      read();
      return;
    }
    completeness.received(got.size(), begun, process.now());
    taking.accept(
        new ArrayDeque<>(got),
        begunMicros,
        stopped,
        () -> {
          completeness.received(got.size(), begun, process.now());
          follow.run();
          if (!stopped.getAsBoolean()) {
            queue.delete(process, got, sent -> read());
          }
        },
        () -> process.in(AGAIN, this::read));
  }
}
