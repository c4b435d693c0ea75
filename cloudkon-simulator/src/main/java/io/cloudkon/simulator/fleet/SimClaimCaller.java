package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.cloud.SimClaims;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Makes the calls to the claims; every outcome is one event. */
final class SimClaimCaller {
  /** How long a bundle is hidden from all workers if this worker is denied access to its claim. */
  private static final long REFUSED_MILLIS = 2_000;

  private final World world;
  private final SimClaims claims;
  private final SimProcess process;
  private final BackOff backOff;
  private final Consumer<WorkerEvent> events;
  private final BiConsumer<SimBundle, BundleEvent> ofBundle;
  private final SimLostAttempts lost;

  SimClaimCaller(
      World world,
      SimProcess process,
      BackOff backOff,
      Consumer<WorkerEvent> events,
      BiConsumer<SimBundle, BundleEvent> ofBundle) {
    this.world = world;
    this.claims = world.cloud().claims();
    this.process = process;
    this.backOff = backOff;
    this.events = events;
    this.ofBundle = ofBundle;
    this.lost = new SimLostAttempts(world, process, backOff);
  }

  void call(SimBundle hand, ClaimEffect.Call call) {
    switch (call) {
      case ClaimEffect.Acquire acquire ->
          lost.takeBackThoseOf(
              hand.request,
              Reply.orRefused(
                  none -> {
                    if (none == null) {
                      failed(hand, new BundleEvent.AcquireFailed(acquire.acquisition().id()));
                    } else {
                      acquire(hand, acquire.acquisition());
                    }
                  },
                  () -> acquireRefused(hand, acquire.acquisition())));
      case ClaimEffect.Survive survive -> lost.takeBack(hand.request, survive);
      case ClaimEffect.Write write -> write(hand, write.write());
    }
  }

  /** Whether all attempts that were lost while the worker lived have been taken back. */
  boolean settled() {
    return lost.none();
  }

  private void acquire(SimBundle hand, Acquisition by) {
    long begun = world.timeline().now();
    hand.claimBegun = begun;
    claims.acquire(
        process,
        hand.request,
        by,
        Reply.orRefused(
            answer -> {
              if (answer == null) {
                failed(hand, new BundleEvent.AcquireFailed(by.id()));
                return;
              }
              hand.claimFailures = 0;
              hand.claimed = world.timeline().now();
              events.accept(new WorkerEvent.ClaimTook(hand.claimed - begun));
              ofBundle.accept(hand, new BundleEvent.AcquireAnswered(by.id(), answer));
            },
            () -> acquireRefused(hand, by)));
  }

  private void acquireRefused(SimBundle hand, Acquisition by) {
    failed(hand, new BundleEvent.AcquireRefused(by.id(), REFUSED_MILLIS));
  }

  private void write(SimBundle hand, ClaimWrite by) {
    claims.write(
        process,
        hand.request,
        by,
        Reply.orRefused(
            answer -> {
              if (answer == null) {
                failed(hand, new BundleEvent.WriteFailed(by.id(), by.seq()));
                return;
              }
              hand.claimFailures = 0;
              ofBundle.accept(hand, new BundleEvent.WriteAnswered(by.id(), by.seq(), answer));
            },
            () -> failed(hand, new BundleEvent.WriteFailed(by.id(), by.seq(), true))));
  }

  void noteSick(SimBundle hand, String claim) {
    claims.noteSick(
        process,
        claim,
        process.name(),
        workers -> {
          if (workers == null) {
            failed(hand, new BundleEvent.SickNoteFailed(claim));
          } else {
            ofBundle.accept(hand, new BundleEvent.SickNoted(claim, workers));
          }
        });
  }

  private void failed(SimBundle hand, BundleEvent event) {
    process.in(backOff.millis(++hand.claimFailures) * 1000, () -> ofBundle.accept(hand, event));
  }
}
