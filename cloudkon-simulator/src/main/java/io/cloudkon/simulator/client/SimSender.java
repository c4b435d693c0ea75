package io.cloudkon.simulator.client;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlePlan;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.bundler.BundlerPhase;
import io.cloudkon.core.protocol.bundler.FairShare;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.Batcher;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Makes bundles as the bundler plans them, and sends them until they are accepted. */
final class SimSender {
  private static final long ASK_AGAIN = 50_000;
  private static final long LEASE_AGAIN = 500_000;

  /** The offset of wrong sequence numbers under a planted bug; above every real number. */
  private static final int OTHER_ID = 1_000_000;

  private final World world;
  private final SimProcess process;
  private final SimRun run;
  private final ClientSetup setup;
  private final SimJournal journal;
  private final CompletenessMachine completeness;
  private final BundlerMachine bundler;
  private final Optional<FairShare> share;
  private final Measures measures;
  private final Supplier<String> queue;
  private final BooleanSupplier valid;
  private final Runnable allSent;
  private final BackOff backOff;
  private final Batcher<Request> lanes;

  /** The lanes of HPC jobs, which go to a queue of their own. */
  private final Batcher<Request> jobLanes;

  private boolean toldAllSent;
  private boolean stopped;
  private boolean looked;
  private boolean asking;

  SimSender(
      World world,
      SimProcess process,
      SimRun run,
      ClientSetup setup,
      SimJournal journal,
      CompletenessMachine completeness,
      BundlerMachine bundler,
      Optional<FairShare> share,
      Measures measures,
      Supplier<String> queue,
      BooleanSupplier valid,
      Runnable allSent) {
    this.world = world;
    this.process = process;
    this.run = run;
    this.setup = setup;
    this.journal = journal;
    this.completeness = completeness;
    this.bundler = bundler;
    this.share = share;
    this.measures = measures;
    this.queue = queue;
    this.valid = valid;
    this.allSent = allSent;
    this.backOff = new BackOff(100, 5_000, world.random().split());
    this.lanes =
        new Batcher<>(
            setup.threads(), Limits.BATCH, Limits.MESSAGE_BYTES, Request::bytes, this::send);
    this.jobLanes =
        new Batcher<>(
            setup.threads(), Limits.BATCH, Limits.MESSAGE_BYTES, Request::bytes, this::send);
  }

  void stop() {
    stopped = true;
  }

  /**
   * Sends bundles again, under their ids, if the former client does not know whether it sent them.
   */
  void sendAgain() {
    for (int sequence = 0; sequence < journal.bundles(); sequence++) {
      if (!completeness.closed(sequence)) {
        sharing(sequence, journal.first(sequence), journal.count(sequence));
      }
      if (!journal.isConfirmed(sequence)) {
        add(request(sequence));
      }
    }
  }

  private void add(Request request) {
    (request.job() ? jobLanes : lanes).add(request);
  }

  private SimQueue<Request> queueOf(Request request) {
    return request.job() ? world.hpc().jobs() : world.cloud().requests();
  }

  /** Makes bundles while only few wait to be sent. */
  void pump() {
    while (!stopped
        && lanes.waiting() + jobLanes.waiting() < 2 * Limits.BATCH
        && journal.tasks() < run.tasks().size()) {
      int next = journal.tasks();
      BundlePlan plan = plan(next);
      if (plan.waits()) {
        askAgain();
        return;
      }
      int count = fill(next, plan);
      boolean job = run.tasks().task(next).work() instanceof Work.Hpc;
      int sequence = job ? completeness.job() : completeness.bundle(count);
      if (!job) {
        bundler.made(sequence, count, micros(next, count), process.now());
      }
      sharing(sequence, next, count);
      journal.made(count);
      add(request(sequence));
    }
    tellIfAllSent();
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

  /** Counts a bundle toward the client's share from now on. */
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

  private void askAgain() {
    if (!asking) {
      asking = true;
      process.in(
          ASK_AGAIN,
          () -> {
            asking = false;
            pump();
          });
    }
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
  private Request request(int sequence) {
    return request(BundleIds.of(run.id(), SimRun.EPOCH, sequence), ordinals(sequence));
  }

  private int[] ordinals(int sequence) {
    int[] ordinals = new int[journal.count(sequence)];
    for (int i = 0; i < ordinals.length; i++) {
      ordinals[i] = journal.first(sequence) + i;
    }
    return ordinals;
  }

  private Request request(String id, int[] ordinals) {
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

  private void send(List<Request> batch, Runnable answered) {
    long now = world.timeline().now();
    for (Request request : batch) {
      journal.sendBegun(BundleIds.sequence(request.id()), now);
    }
    measures.sending(now);
    trySend(batch, 1, answered);
  }

  private void trySend(List<Request> batch, int tries, Runnable answered) {
    if (stopped) {
      return;
    }
    if (!valid.getAsBoolean()) {
      process.in(LEASE_AGAIN, () -> trySend(batch, tries, answered));
      return;
    }
    for (Request request : batch) {
      world.witness().sending(request);
      if (run.consistency().claims()) {
        world.cloud().claims().expect(request);
      }
    }
    long asked = world.timeline().now();
    queueOf(batch.getFirst())
        .send(
            process,
            batch,
            sent -> {
              bundler.called(world.timeline().now() - asked);
              List<Request> left = new ArrayList<>();
              for (int i = 0; i < batch.size(); i++) {
                if (sent == null || sent.refused().get(i)) {
                  left.add(again(batch.get(i)));
                } else {
                  accepted(batch.get(i));
                }
              }
              if (left.isEmpty()) {
                answered.run();
                pump();
              } else {
                process.in(backOff.millis(tries) * 1000, () -> trySend(left, tries + 1, answered));
              }
            });
  }

  private Request again(Request failed) {
    if (!world.twist().retriesUnderNewId()) {
      return failed;
    }
    int sequence = BundleIds.sequence(failed.id()) + OTHER_ID;
    return Request.of(
        run,
        new Bundle(
            failed.bundle().header().withBundle(BundleIds.of(run.id(), SimRun.EPOCH, sequence)),
            failed.bundle().tasks()));
  }

  /** Looks at the fleet while the first results are on their way. */
  private void lookAtFleet() {
    looked = true;
    if (bundler.phase() != BundlerPhase.FIXED && journal.tasks() < run.tasks().size()) {
      world
          .cloud()
          .listFleet(
              process,
              slots -> {
                if (slots != null) {
                  bundler.listed(slots, !slots.isEmpty(), process.now());
                  pump();
                }
              });
    }
  }

  private void accepted(Request request) {
    if (!looked) {
      lookAtFleet();
    }
    int sequence = BundleIds.sequence(request.id()) % OTHER_ID;
    completeness.sent(sequence, process.now());
    journal.confirmed(sequence, world.timeline().now());
  }

  private void tellIfAllSent() {
    if (!toldAllSent && journal.tasks() == run.tasks().size() && lanes.idle() && jobLanes.idle()) {
      toldAllSent = true;
      if (setup.completeness().openEnded()) {
        // Somebody could still add a task, and meanwhile waits for the other results.
        process.in(ClientSetup.STAYS_OPEN, allSent);
      } else {
        allSent.run();
      }
    }
  }

  /** Sends tasks again under the id of their bundle or child; tries once. */
  void resend(String id, int[] ordinals) {
    Request request = request(id, ordinals);
    world.witness().sending(request);
    if (run.consistency().claims()) {
      world.cloud().claims().expect(request);
    }
    queueOf(request)
        .send(
            process,
            List.of(request),
            sent -> {
              if (sent != null && sent.refused().isEmpty()) {
                completeness.resent(id, process.now());
              }
            });
  }
}
