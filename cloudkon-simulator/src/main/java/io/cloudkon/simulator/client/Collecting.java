package io.cloudkon.simulator.client;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.bundler.FairShare;
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
import java.util.Optional;
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

  /** What a receive may take besides its wait. */
  private static final long ROUND_TRIP = 1_000_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final HeldRun held;
  private final Journal journal;
  private final CompletenessMachine completeness;
  private final BundlerMachine bundler;
  private final Optional<FairShare> share;
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
      Optional<FairShare> share,
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
    this.share = share;
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
              held::lost,
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
    long wait = completeness.provisionallyLost() > 0 ? SHORT_POLL : LONG_POLL;
    queue.receive(
        process,
        Limits.BATCH,
        wait,
        VISIBILITY,
        got -> received(queue, got, begun, begunMicros, wait));
  }

  private void received(
      SimQueue<Results> queue,
      @Nullable List<Delivery<Results>> got,
      Moment begun,
      long begunMicros,
      long wait) {
    if (stopped) {
      return;
    }
    if (got == null) {
      completeness.receiveFailed(process.now());
      process.in(backOff.millis(++failures) * 1000, this::receive);
      return;
    }
    failures = 0;
    if (got.isEmpty()) {
      whenValid(() -> stopped, () -> cameBackEmpty(begun, begunMicros, wait), this::receive);
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

  /** What came after its wait, while this process was stopped, it has not seen. */
  private void cameBackEmpty(Moment begun, long begunMicros, long wait) {
    world.witness().nothingCame(run, begunMicros + wait);
    Moment seen = begun.plus((wait + ROUND_TRIP) / 1000);
    Moment now = process.now();
    completeness.received(0, begun, now.eitherPast(seen) ? seen : now);
    follow.accept(completeness.follow(now));
    receive();
  }

  private void take(
      SimQueue<Results> queue, List<Delivery<Results>> got, Moment begun, long begunMicros) {
    accept(
        new ArrayDeque<>(got),
        begunMicros,
        () -> stopped,
        () -> accepted(queue, got, begun),
        this::receive);
  }

  /** Whoever has something in hand when its lease is uncertain waits with it. */
  private void whenValid(BooleanSupplier over, Runnable then, Runnable otherwise) {
    if (over.getAsBoolean()) {
      otherwise.run();
    } else if (held.valid()) {
      then.run();
    } else {
      process.in(LEASE_AGAIN, () -> whenValid(over, then, otherwise));
    }
  }

  /**
   * One message after the other; those that lie in the bucket are fetched first.
   *
   * @param over whether it is not to be done any more
   * @param then called when all were accepted
   * @param otherwise called if they were not; they come again
   */
  private void accept(
      Deque<Delivery<Results>> left,
      long begunMicros,
      BooleanSupplier over,
      Runnable then,
      Runnable otherwise) {
    whenValid(over, () -> acceptNow(left, begunMicros, over, then, otherwise), otherwise);
  }

  private void acceptNow(
      Deque<Delivery<Results>> left,
      long begunMicros,
      BooleanSupplier over,
      Runnable then,
      Runnable otherwise) {
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
                if (found == null) {
                  otherwise.run();
                  return;
                }
                Runnable rest =
                    () -> {
                      found.forEach(results -> accept(results, next.sentAt(), begunMicros));
                      acceptNow(left, begunMicros, over, then, otherwise);
                    };
                whenValid(over, rest, otherwise);
              });
      return;
    }
    then.run();
  }

  private void accepted(SimQueue<Results> queue, List<Delivery<Results>> got, Moment begun) {
    completeness.received(got.size(), begun, process.now());
    follow.accept(completeness.follow(process.now()));
    if (!stopped) {
      queue.delete(process, got, sent -> receiveUnlessIdle(got.size()));
    }
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
    completeness.received(1, process.now(), process.now());
    bundler.heard(results.worker(), results.slots(), process.now());
    learn(results);
    int ended = 0;
    int fresh = 0;
    long micros = 0;
    for (int i = 0; i < results.ordinals().length; i++) {
      int ordinal = results.ordinals()[i];
      boolean lost = results.statuses()[i] == TaskStatus.LOST && !world.twist().lostIsFinal();
      switch (completeness.offer(bundle, ordinal, lost)) {
        case FINAL -> {
          ended++;
          if (results.statuses()[i] != TaskStatus.LOST) {
            fresh++;
            micros += results.ended()[i] - results.started()[i];
          }
          journal.result(ordinal);
          journal.took(results.ended()[i] - results.started()[i]);
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
        case PROVISIONAL -> {
          ended++;
          journal.lost(ordinal);
        }
        case DUPLICATE -> measures.duplicate();
        case FOREIGN -> world.trace().say(process.name(), "has foreign results: %s", results);
      }
    }
    shared(results, ended, fresh, micros);
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

  /** What ended of a bundle is in no queue any more, and what ran says how long tasks take. */
  private void shared(Results results, int ended, int fresh, long micros) {
    share.ifPresent(of -> {
      int sequence = BundleIds.sequence(results.of().id());
      of.ended(sequence, ended);
      if (completeness.closed(sequence)) {
        of.closed(sequence);
      }
      if (results.of().bundle().tasks().getFirst().work() instanceof Work.Hpc job) {
        of.finishedRanks(fresh * job.ranks(), micros * job.ranks(), process.now());
      } else {
        of.finished(fresh, micros, process.now());
      }
    });
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
