package io.cloudkon.simulator.client;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlePlan;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.bundler.FairShare;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.SimRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Groups a run's tasks into bundles as the bundler and the client's fair share plan, and makes the
 * messages that carry them.
 */
final class SimBundleMaker {
  private final SimProcess process;
  private final SimRun run;
  private final ClientSetup setup;
  private final SimJournal journal;
  private final CompletenessMachine completeness;
  private final BundlerMachine bundler;
  private final Optional<FairShare> share;
  private final Supplier<String> queue;

  /**
   * A maker for one client.
   *
   * @param queue the queue that results go to now
   */
  SimBundleMaker(
      SimProcess process,
      SimRun run,
      ClientSetup setup,
      SimJournal journal,
      CompletenessMachine completeness,
      BundlerMachine bundler,
      Optional<FairShare> share,
      Supplier<String> queue) {
    this.process = process;
    this.run = run;
    this.setup = setup;
    this.journal = journal;
    this.completeness = completeness;
    this.bundler = bundler;
    this.share = share;
    this.queue = queue;
  }

  /** Whether every task is in a bundle. */
  boolean madeAll() {
    return journal.tasks() == run.tasks().size();
  }

  /** Makes the next bundle; empty if it must wait. There must be a task that is in no bundle. */
  Optional<Request> make() {
    int next = journal.tasks();
    BundlePlan plan = plan(next);
    if (plan.waits()) {
      return Optional.empty();
    }
    int count = fill(next, plan);
    boolean job = run.tasks().task(next).work() instanceof Work.Hpc;
    int sequence = job ? completeness.job() : completeness.bundle(count);
    if (!job) {
      bundler.made(sequence, count, micros(next, count), process.now());
    }
    sharing(sequence, next, count);
    journal.made(count);
    return Optional.of(request(sequence));
  }

  private BundlePlan plan(int next) {
    Work work = run.tasks().task(next).work();
    BundlePlan alone = bundler.plan(work, (long) run.tasks().size() - next, process.now());
    BundlePlan plan =
        share
            .map(of ->
                of.fit(
                    alone, work instanceof Work.Hpc, bundler.slots(process.now()), process.now()))
            .orElse(alone);
    if (plan.waits()) {
      bundler.heldBack();
    }
    return plan;
  }

  /** Counts a bundle of a former client toward this client's share from now on. */
  void inherited(int sequence) {
    sharing(sequence, journal.first(sequence), journal.count(sequence));
  }

  private void sharing(int sequence, int first, int count) {
    share.ifPresent(of -> {
      double micros = micros(first, count);
      if (run.tasks().task(first).work() instanceof Work.Hpc job) {
        of.sentJob(sequence, job.ranks(), micros);
      } else {
        of.sent(sequence, count, micros);
      }
    });
  }

  private double micros(int first, int count) {
    double micros = 0;
    for (int i = first; i < first + count; i++) {
      Work work = run.tasks().task(i).work();
      micros += work instanceof Work.Hpc ? Double.NaN : bundler.micros(work);
    }
    return micros;
  }

  /** Records that this number of a bundle's tasks no longer wait or run. */
  void ended(int sequence, int count) {
    bundler.ended(sequence, count);
    share.ifPresent(of -> of.ended(sequence, count));
  }

  /** The number of tasks, from this one on, that make up a bundle. */
  private int fill(int first, BundlePlan plan) {
    int count = 0;
    long bytes = 0;
    double micros = 0;
    while (first + count < run.tasks().size() && count < plan.tasks()) {
      Task task = run.tasks().task(first + count);
      boolean job = task.work() instanceof Work.Hpc;
      if (job) {
        return count == 0 ? 1 : count;
      }
      int size = BundleCodec.sizeOf(task);
      double takes = bundler.micros(task.work());
      double known = Double.isNaN(takes) ? 0 : takes;
      boolean full = bytes + size > plan.bytes() || micros + known > plan.micros();
      if (count > 0 && full) {
        break;
      }
      bytes += size;
      micros += known;
      count++;
    }
    return count;
  }

  /** A bundle as recorded in the journal. */
  Request request(int sequence) {
    return request(BundleIds.of(run.id(), SimRun.EPOCH, sequence), ordinals(sequence));
  }

  private int[] ordinals(int sequence) {
    int[] ordinals = new int[journal.count(sequence)];
    for (int i = 0; i < ordinals.length; i++) {
      ordinals[i] = journal.first(sequence) + i;
    }
    return ordinals;
  }

  /** The bundle or child of this id with these tasks. */
  Request request(String id, int[] ordinals) {
    List<Task> tasks = new ArrayList<>(ordinals.length);
    double estimate = 0;
    for (int ordinal : ordinals) {
      Task task = run.tasks().task(ordinal);
      tasks.add(task);
      estimate += bundler.micros(task.work());
    }
    BundleHeader header =
        new BundleHeader(
            run.id(),
            SimRun.EPOCH,
            id,
            queue.get(),
            run.consistency(),
            Limits.DEFAULT_CAPTURE_BYTES,
            0,
            0,
            Double.isNaN(estimate) ? 0 : (long) estimate,
            List.of(),
            setup.claim());
    return Request.of(run, new Bundle(header, tasks));
  }
}
