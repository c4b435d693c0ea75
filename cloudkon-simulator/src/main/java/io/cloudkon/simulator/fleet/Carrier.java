package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.Batcher;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.world.World;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Carries out what a worker's bundles want done at the services; every outcome is one event. */
final class Carrier {
  private static final int DELETE_TRIES = 8;

  private final World world;
  private final SimProcess process;
  private final int slots;
  private final BackOff backOff;
  private final Replies replies;
  private final Consumer<WorkerEvent> events;
  private final BiConsumer<Hand, BundleEvent> ofBundle;
  private final Batcher<Deletion> deletions;
  private final Batcher<Child> children;
  private final SimQueue<Request> queue;
  private final SimLostAttempts lost;

  private record Deletion(Hand hand, int tries) {}

  private record Child(Hand parent, int k, Request request) {}

  /**
   * Carries for the bundles of one queue.
   *
   * @param queue from which they were received
   */
  Carrier(
      World world,
      SimQueue<Request> queue,
      SimProcess process,
      int slots,
      BackOff backOff,
      Replies replies,
      Consumer<WorkerEvent> events,
      BiConsumer<Hand, BundleEvent> ofBundle) {
    this.world = world;
    this.queue = queue;
    this.process = process;
    this.slots = slots;
    this.backOff = backOff;
    this.replies = replies;
    this.lost = new SimLostAttempts(world, process, backOff);
    this.events = events;
    this.ofBundle = ofBundle;
    this.deletions = new Batcher<>(1, Limits.BATCH, Limits.BATCH, d -> 1, this::delete);
    this.children =
        new Batcher<>(
            1,
            Limits.BATCH,
            Limits.MESSAGE_BYTES,
            child -> child.request().bytes(),
            this::sendChildren);
  }

  void claims(Hand hand, ClaimEffect.Call call) {
    switch (call) {
      case ClaimEffect.Acquire acquire ->
          lost.takeBackThoseOf(
              hand.request,
              none -> {
                if (none) {
                  acquire(hand, acquire.acquisition());
                } else {
                  claimFailed(hand, new BundleEvent.AcquireFailed(acquire.acquisition().id()));
                }
              });
      case ClaimEffect.Survive survive -> lost.takeBack(hand.request, survive);
      case ClaimEffect.Write write ->
          world
              .cloud()
              .claims()
              .write(
                  process,
                  hand.request,
                  write.write(),
                  answer -> {
                    if (answer == null) {
                      claimFailed(
                          hand,
                          new BundleEvent.WriteFailed(write.write().id(), write.write().seq()));
                      return;
                    }
                    hand.claimFailures = 0;
                    ofBundle.accept(
                        hand,
                        new BundleEvent.WriteAnswered(
                            write.write().id(), write.write().seq(), answer));
                  });
    }
  }

  private void acquire(Hand hand, Acquisition by) {
    long begun = world.timeline().now();
    hand.claimBegun = begun;
    world
        .cloud()
        .claims()
        .acquire(
            process,
            hand.request,
            by,
            answer -> {
              if (answer == null) {
                claimFailed(hand, new BundleEvent.AcquireFailed(by.id()));
                return;
              }
              hand.claimFailures = 0;
              hand.claimed = world.timeline().now();
              events.accept(new WorkerEvent.ClaimTook(hand.claimed - begun));
              ofBundle.accept(hand, new BundleEvent.AcquireAnswered(by.id(), answer));
            });
  }

  /** Whether every attempt that was lost alive is taken back. */
  boolean settled() {
    return lost.none();
  }

  void noteSick(Hand hand, String claim) {
    world
        .cloud()
        .claims()
        .noteSick(
            process,
            claim,
            process.name(),
            workers -> {
              if (workers == null) {
                claimFailed(hand, new BundleEvent.SickNoteFailed(claim));
              } else {
                ofBundle.accept(hand, new BundleEvent.SickNoted(claim, workers));
              }
            });
  }

  private void claimFailed(Hand hand, BundleEvent event) {
    process.in(backOff.millis(++hand.claimFailures) * 1000, () -> ofBundle.accept(hand, event));
  }

  void results(Hand hand, BundleEffect.SendResults send, int attempt) {
    for (Positions part : hand.parts(send.tasks())) {
      replies.send(
          hand, part, hand.results(part, process.name(), slots, attempt, world.timeline().now()));
    }
  }

  void lost(Hand hand, BundleEffect.SendLost send, int attempt) {
    replies.send(
        hand,
        send.tasks(),
        hand.notRun(
            send.tasks(), TaskStatus.LOST, process.name(), slots, attempt, world.timeline().now()));
  }

  void failed(Hand hand, BundleEffect.SendFailed send, int attempt) {
    replies.send(
        hand,
        send.tasks(),
        hand.notRun(
            send.tasks(),
            TaskStatus.FAILED,
            process.name(),
            slots,
            attempt,
            world.timeline().now()));
  }

  void dead(Hand hand, BundleEffect.SendDead send) {
    Bundle failed =
        new Bundle(
            hand.request.bundle().header(), send.tasks().stream().mapToObj(hand::task).toList());
    world
        .cloud()
        .dead()
        .send(
            process,
            List.of(Request.of(hand.request.run(), failed)),
            sent -> {
              if (sent != null && sent.refused().isEmpty()) {
                ofBundle.accept(hand, new BundleEvent.DeadAccepted(send.tasks()));
              } else {
                process.in(
                    backOff.millis(3) * 1000,
                    () -> ofBundle.accept(hand, new BundleEvent.DeadFailed(send.tasks())));
              }
            });
  }

  void child(Hand parent, BundleEffect.SendChild child) {
    Request request = parent.request.child(child.k(), child.tasks());
    world.witness().sending(request);
    world.cloud().claims().expect(request);
    children.add(new Child(parent, child.k(), request));
  }

  private void sendChildren(List<Child> batch, Runnable answered) {
    queue.send(
        process,
        batch.stream().map(Child::request).toList(),
        sent -> {
          for (int i = 0; i < batch.size(); i++) {
            Child child = batch.get(i);
            if (sent != null && !sent.refused().get(i)) {
              ofBundle.accept(child.parent(), new BundleEvent.ChildAccepted(child.k()));
            } else {
              process.in(
                  backOff.millis(3) * 1000,
                  () -> ofBundle.accept(child.parent(), new BundleEvent.ChildFailed(child.k())));
            }
          }
          answered.run();
        });
  }

  /** Hides its message for so long; SQS counts in seconds. A failure is nobody's concern. */
  void hide(Hand hand, long millis) {
    long micros = (millis + 999) / 1000 * 1_000_000;
    queue.hide(process, hand.delivery, micros, answer -> {});
  }

  void delete(Hand hand) {
    world.witness().deleting(process.name(), hand.request);
    deletions.add(new Deletion(hand, 1));
  }

  private void delete(List<Deletion> batch, Runnable answered) {
    queue.delete(
        process,
        batch.stream().map(deletion -> deletion.hand().delivery).toList(),
        sent -> {
          for (int i = 0; i < batch.size(); i++) {
            Deletion deletion = batch.get(i);
            boolean deleted = sent != null && !sent.refused().get(i);
            if (deleted) {
              world.cloud().claims().messageDeleted(deletion.hand().request);
            }
            if (deleted || deletion.tries() >= DELETE_TRIES) {
              ofBundle.accept(deletion.hand(), new BundleEvent.Deleted());
            } else {
              process.in(
                  backOff.millis(deletion.tries()) * 1000,
                  () -> deletions.add(new Deletion(deletion.hand(), deletion.tries() + 1)));
            }
          }
          answered.run();
        });
  }
}
