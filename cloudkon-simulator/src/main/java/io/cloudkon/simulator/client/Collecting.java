package io.cloudkon.simulator.client;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.protocol.durations.DurationSum;
import io.cloudkon.core.protocol.durations.Durations;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Results;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.world.World;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Receives results, and asks the completeness what to make of each. */
final class Collecting {
  private static final long LONG_POLL = 20_000_000;
  private static final long SHORT_POLL = 5_000_000;
  private static final long VISIBILITY = 10_000_000;
  private static final long LAST_POLL = 1_000_000;
  private static final long LAST_RECEIVES = 30_000_000;
  private static final int MOST_HELPERS = 30;
  private static final long LEASE_AGAIN = 500_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final HeldRun held;
  private final Journal journal;
  private final CompletenessMachine completeness;
  private final BundlerMachine bundler;
  private final Measures measures;
  private final Consumer<List<CompletenessEffect>> follow;
  private final Runnable queueGone;
  private final BackOff backOff;
  private boolean stopped;
  private int failures;
  private int helpers;

  Collecting(
      World world,
      SimProcess process,
      SimRun run,
      HeldRun held,
      Journal journal,
      CompletenessMachine completeness,
      BundlerMachine bundler,
      Measures measures,
      Consumer<List<CompletenessEffect>> follow,
      Runnable queueGone) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.held = held;
    this.journal = journal;
    this.completeness = completeness;
    this.bundler = bundler;
    this.measures = measures;
    this.follow = follow;
    this.queueGone = queueGone;
    this.backOff = new BackOff(100, 5_000, world.random().split());
  }

  void stop() {
    stopped = true;
  }

  /** Stops, and takes what waits, until a receive comes back empty or the time is over. */
  void takeWhatWaits(Runnable then) {
    stopped = true;
    takeLast(world.timeline().now() + LAST_RECEIVES, then);
  }

  private void takeLast(long until, Runnable then) {
    SimQueue<Results> queue = world.cloud().responses(held.queue());
    if (queue == null || world.timeline().now() >= until) {
      then.run();
      return;
    }
    if (!held.valid()) {
      process.in(LEASE_AGAIN, () -> takeLast(until, then));
      return;
    }
    long begun = world.timeline().now();
    queue.receive(
        process,
        Limits.BATCH,
        LAST_POLL,
        VISIBILITY,
        got -> {
          if (got == null || got.isEmpty()) {
            then.run();
            return;
          }
          accept(
              new ArrayDeque<>(got),
              begun,
              held::valid,
              () -> queue.delete(process, got, sent -> takeLast(until, then)),
              () -> takeLast(until, then));
        });
  }

  /** One of the threads that collect: receives again and again. */
  void receive() {
    if (stopped) {
      return;
    }
    if (!held.valid()) {
      process.in(LEASE_AGAIN, this::receive);
      return;
    }
    SimQueue<Results> queue = world.cloud().responses(held.queue());
    if (queue == null) {
      completeness.receiveFailed(process.now());
      queueGone.run();
      process.in(LEASE_AGAIN, this::receive);
      return;
    }
    Moment begun = process.now();
    long begunMicros = world.timeline().now();
    boolean grace = completeness.provisionallyLost() > 0;
    queue.receive(
        process,
        Limits.BATCH,
        grace ? SHORT_POLL : LONG_POLL,
        VISIBILITY,
        got -> received(queue, got, begun, begunMicros));
  }

  private void received(
      SimQueue<Results> queue,
      @Nullable List<Delivery<Results>> got,
      Moment begun,
      long begunMicros) {
    if (stopped) {
      return;
    }
    if (got == null) {
      completeness.receiveFailed(process.now());
      process.in(backOff.millis(++failures) * 1000, this::receive);
      return;
    }
    failures = 0;
    if (got.size() == Limits.BATCH && helpers < MOST_HELPERS) {
      helpers++;
      process.in(0, this::receive);
    }
    if (!held.valid()) {
      receive();
      return;
    }
    if (world.twist().deletesBeforeWriting() && !got.isEmpty()) {
      queue.delete(process, got, sent -> take(queue, got, begun, begunMicros));
    } else {
      take(queue, got, begun, begunMicros);
    }
  }

  private void take(
      SimQueue<Results> queue, List<Delivery<Results>> got, Moment begun, long begunMicros) {
    accept(
        new ArrayDeque<>(got),
        begunMicros,
        () -> !stopped && held.valid(),
        () -> accepted(queue, got, begun),
        this::receive);
  }

  /**
   * One message after the other; those that lie in the bucket are fetched first.
   *
   * @param may whether it may still be done
   * @param then called when all were accepted
   * @param otherwise called if they were not; they come again
   */
  private void accept(
      Deque<Delivery<Results>> left,
      long begunMicros,
      BooleanSupplier may,
      Runnable then,
      Runnable otherwise) {
    if (!may.getAsBoolean()) {
      otherwise.run();
      return;
    }
    while (!left.isEmpty()) {
      Delivery<Results> next = left.remove();
      if (next.body().stored().isEmpty()) {
        accept(next.body(), next.sentAt(), begunMicros);
        continue;
      }
      world
          .cloud()
          .blobs()
          .list(
              process,
              next.body().stored(),
              found -> {
                if (found == null || !may.getAsBoolean()) {
                  otherwise.run();
                  return;
                }
                found.forEach(results -> accept(results, next.sentAt(), begunMicros));
                accept(left, begunMicros, may, then, otherwise);
              });
      return;
    }
    then.run();
  }

  private void accepted(SimQueue<Results> queue, List<Delivery<Results>> got, Moment begun) {
    if (stopped) {
      return;
    }
    if (!held.valid()) {
      receive();
      return;
    }
    completeness.received(got.size(), begun, process.now());
    follow.accept(completeness.follow(process.now()));
    if (got.isEmpty() || stopped) {
      receive();
      return;
    }
    queue.delete(process, got, sent -> receiveUnlessIdle(got.size()));
  }

  /** A thread that came to help ends with the first receive that does not come back full. */
  private void receiveUnlessIdle(int got) {
    if (helpers > 0 && got < Limits.BATCH) {
      helpers--;
    } else {
      receive();
    }
  }

  /** Results came, by the response queue or from the bucket. */
  void accept(Results results, long replied, long begunMicros) {
    String bundle = results.of().id();
    completeness.heard(bundle, process.now());
    bundler.heard(results.worker(), results.slots(), process.now());
    learn(results);
    for (int i = 0; i < results.ordinals().length; i++) {
      int ordinal = results.ordinals()[i];
      boolean lost = results.statuses()[i] == TaskStatus.LOST && !world.twist().lostIsFinal();
      switch (completeness.offer(bundle, ordinal, lost)) {
        case FINAL -> {
          journal.result(ordinal);
          world.witness().finalResult(run, ordinal, results.statuses()[i]);
          int sequence = BundleIds.sequence(bundle);
          measures.took(
              results,
              i,
              journal.sendBegun(sequence < journal.bundles() ? sequence : 0),
              replied,
              begunMicros,
              world.timeline().now());
        }
        case PROVISIONAL -> journal.lost(ordinal);
        case DUPLICATE -> measures.duplicate();
        case FOREIGN -> world.trace().say(process.name(), "has foreign results: %s", results);
      }
    }
    if (world.trace().on()) {
      world
          .trace()
          .say(
              process.name(),
              "has %s: %d of %d tasks ended",
              results,
              completeness.finished(),
              run.tasks().size());
    }
  }

  private void learn(Results results) {
    Map<String, DurationSum> took = new LinkedHashMap<>();
    for (int i = 0; i < results.ordinals().length; i++) {
      if (results.statuses()[i] == TaskStatus.SUCCEEDED) {
        took.computeIfAbsent(
                Durations.key(run.tasks().task(results.ordinals()[i]).work()),
                key -> new DurationSum())
            .add(results.ended()[i] - results.started()[i]);
      }
    }
    took.forEach((key, times) -> {
      DurationSum.Sum sum = times.take();
      bundler.learn(key, sum.count(), sum.micros());
    });
  }
}
