package io.cloudkon.simulator.client;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.bundler.FairShare;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.protocol.durations.DurationSum;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.world.World;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Takes received results and passes each to the completeness machine. */
final class SimResultIntake {
  private static final long LEASE_AGAIN = 500_000;
  private static final long MARGIN = 500_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final SimHeldRun held;
  private final SimJournal journal;
  private final CompletenessMachine completeness;
  private final BundlerMachine bundler;
  private final Optional<FairShare> share;
  private final Measures measures;

  /** When everything that was received and not taken is visible again, in microseconds. */
  private long visibleAt;

  SimResultIntake(
      World world,
      SimProcess process,
      SimRun run,
      SimHeldRun held,
      SimJournal journal,
      CompletenessMachine completeness,
      BundlerMachine bundler,
      Optional<FairShare> share,
      Measures measures) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.held = held;
    this.journal = journal;
    this.completeness = completeness;
    this.bundler = bundler;
    this.share = share;
    this.measures = measures;
  }

  /** Records that messages were, or may have been, received and are not taken. */
  void notTaken() {
    visibleAt = world.timeline().now() + SimCollector.VISIBILITY + MARGIN;
  }

  /** How long such messages are still hidden, in microseconds; 0 if there are none. */
  long hiddenMicros() {
    return Math.max(0, visibleAt - world.timeline().now());
  }

  /** Continues when the lease is certain to hold; until then holds back what was received. */
  void whenValid(BooleanSupplier over, Runnable then, Runnable otherwise) {
    if (over.getAsBoolean()) {
      otherwise.run();
    } else if (held.valid()) {
      then.run();
    } else {
      process.in(LEASE_AGAIN, () -> whenValid(over, then, otherwise));
    }
  }

  /**
   * Accepts messages one after the other; fetches those first that lie in the bucket.
   *
   * @param over whether the rest need not be accepted any more
   * @param then called when all have been accepted
   * @param otherwise called if not all were accepted; the rest will be received again
   */
  void accept(
      Deque<Delivery<ResultMessage>> left,
      long begunMicros,
      BooleanSupplier over,
      Runnable then,
      Runnable otherwise) {
    Runnable returned =
        () -> {
          notTaken();
          otherwise.run();
        };
    whenValid(over, () -> acceptNow(left, begunMicros, over, then, returned), returned);
  }

  private void acceptNow(
      Deque<Delivery<ResultMessage>> left,
      long begunMicros,
      BooleanSupplier over,
      Runnable then,
      Runnable otherwise) {
    while (!left.isEmpty()) {
      Delivery<ResultMessage> next = left.remove();
      if (next.body().stored().isEmpty()) {
        accept(next.body(), next.sentAt(), begunMicros);
        continue;
      }
      journal.noteResults();
      world
          .cloud()
          .blobs()
          .get(
              process,
              next.body().stored(),
              found -> {
                if (found == null) {
                  otherwise.run();
                  return;
                }
                Runnable rest =
                    () -> {
                      found.ifPresent(results -> accept(results, next.sentAt(), begunMicros));
                      acceptNow(left, begunMicros, over, then, otherwise);
                    };
                whenValid(over, rest, otherwise);
              });
      return;
    }
    then.run();
  }

  /** Accepts results that were found in the bucket. */
  void acceptStored(List<ResultMessage> found) {
    long now = world.timeline().now();
    for (ResultMessage results : found) {
      journal.noteResults();
      accept(results, now, now);
    }
  }

  /** Accepts results from the response queue or the bucket. */
  void accept(ResultMessage results, long replied, long begunMicros) {
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
          journal.took(results.ended()[i] - results.started()[i], ranks(results));
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

  /** Reports ended tasks to the bundler and to the share, which also learns how long they took. */
  private void shared(ResultMessage results, int ended, int fresh, long micros) {
    int sequence = BundleIds.sequence(results.of().id());
    bundler.ended(sequence, ended);
    if (completeness.closed(sequence)) {
      bundler.ended(sequence, Integer.MAX_VALUE);
    }
    share.ifPresent(of -> {
      of.ended(sequence, ended);
      if (completeness.closed(sequence)) {
        of.closed(sequence);
      }
      int ranks = ranks(results);
      if (ranks > 0) {
        of.finishedRanks(fresh * ranks, micros * ranks, process.now());
      } else {
        of.finished(fresh, micros, process.now());
      }
    });
  }

  /** The ranks of the HPC job that the results are of; 0 if they are of tasks. */
  private static int ranks(ResultMessage results) {
    return results.of().bundle().tasks().getFirst().work() instanceof Work.Hpc job
        ? job.ranks()
        : 0;
  }

  private void learn(ResultMessage results) {
    Map<String, DurationSum> took = new LinkedHashMap<>();
    for (int i = 0; i < results.ordinals().length; i++) {
      if (results.statuses()[i] == TaskStatus.SUCCEEDED) {
        took.computeIfAbsent(
                LearnedDurations.key(run.tasks().task(results.ordinals()[i]).work()),
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
