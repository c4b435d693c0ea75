package io.cloudkon.simulator.client;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
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

/** Sends the bundles of a run until they are accepted. */
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
  private final SimBundleMaker maker;
  private final Measures measures;
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
    this.maker =
        new SimBundleMaker(process, run, setup, journal, completeness, bundler, share, queue);
    this.measures = measures;
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
        maker.inherited(sequence);
      }
      if (!journal.isConfirmed(sequence)) {
        add(maker.request(sequence));
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
        && !maker.madeAll()) {
      Optional<Request> made = maker.make();
      if (made.isEmpty()) {
        askAgain();
        return;
      }
      add(made.get());
    }
    tellIfAllSent();
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
    maker.ended(sequence, count);
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
    batch.forEach(this::announce);
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

  /** Tells the witness and the claims of a bundle that is about to be sent. */
  private void announce(Request request) {
    world.witness().sending(request);
    if (run.consistency().claims()) {
      world.cloud().claims().expect(request);
    }
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
    if (bundler.phase() != BundlerPhase.FIXED && !maker.madeAll()) {
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
    if (!toldAllSent && maker.madeAll() && lanes.idle() && jobLanes.idle()) {
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
    Request request = maker.request(id, ordinals);
    announce(request);
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
