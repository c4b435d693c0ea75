package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.cloud.SimQueue;
import io.cloudkon.simulator.engine.Batcher;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.world.World;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Carries out the effects of a worker's bundles at the services; every outcome is one event. */
final class SimEffectRunner {
  /** How long a bundle is hidden from all workers if this worker may not send something of it. */
  private static final long REFUSED_MILLIS = 60_000;

  private final World world;
  private final SimProcess process;
  private final int slots;
  private final BackOff backOff;
  private final SimClaimCaller claims;
  private final SimReplySender replies;
  private final SimAcknowledger acknowledger;
  private final BiConsumer<SimBundle, BundleEvent> events;
  private final Consumer<SimBundle> kill;
  private final Batcher<Child> children;
  private final SimQueue<Request> queue;

  private record Child(SimBundle parent, int k, Request request) {}

  /**
   * A runner for the bundles of one queue.
   *
   * @param queue the queue from which they were received
   * @param kill ends the tasks of a bundle that run
   */
  SimEffectRunner(
      World world,
      SimQueue<Request> queue,
      SimProcess process,
      int slots,
      BackOff backOff,
      SimClaimCaller claims,
      SimReplySender replies,
      BiConsumer<SimBundle, BundleEvent> events,
      Consumer<SimBundle> kill) {
    this.world = world;
    this.queue = queue;
    this.process = process;
    this.slots = slots;
    this.backOff = backOff;
    this.claims = claims;
    this.replies = replies;
    this.acknowledger = new SimAcknowledger(world, queue, process, backOff, events);
    this.events = events;
    this.kill = kill;
    this.children =
        new Batcher<>(
            1,
            Limits.BATCH,
            Limits.MESSAGE_BYTES,
            child -> child.request().bytes(),
            this::sendChildren);
  }

  /**
   * Carries out an effect as the owner of the bundle's claim in this attempt.
   *
   * @param attempt 0 without a claim
   */
  void carryOut(SimBundle hand, BundleEffect effect, int attempt) {
    switch (effect) {
      case BundleEffect.CallClaims call -> claims.call(hand, call.call());
      case BundleEffect.SendResults send -> {
        mayAct("results", hand, attempt);
        results(hand, send, attempt);
      }
      case BundleEffect.SendLost send -> {
        mayAct("LOST", hand, attempt);
        notRun(hand, send.tasks(), TaskStatus.LOST, attempt);
      }
      case BundleEffect.SendFailed send -> {
        mayAct("FAILED", hand, attempt);
        notRun(hand, send.tasks(), TaskStatus.FAILED, attempt);
      }
      case BundleEffect.SendDead send -> {
        mayAct("dead letter", hand, attempt);
        dead(hand, send);
      }
      case BundleEffect.SendChild child -> {
        mayAct("child", hand, attempt);
        child(hand, child);
      }
      case BundleEffect.ExtendVisibility extend -> acknowledger.hide(hand, extend.millis());
      case BundleEffect.PutBack back -> acknowledger.hide(hand, back.millis());
      case BundleEffect.DeleteMessage delete -> acknowledger.delete(hand);
      case BundleEffect.NoteSick note -> claims.noteSick(hand, note.claim());
      case BundleEffect.Kill killing -> kill.accept(hand);
      case BundleEffect.Close close -> {
        if (world.trace().on()) {
          world.trace().say(process.name(), "closes %s: %s", hand, close.reason());
        }
      }
    }
  }

  /** Checks that the owner of the claim may do this. */
  void mayAct(String what, SimBundle hand, int attempt) {
    world
        .witness()
        .mayAct(what, process.name(), hand.request, hand.nonce, attempt, world.serviceMillis());
  }

  private void results(SimBundle hand, BundleEffect.SendResults send, int attempt) {
    for (Positions part : hand.parts(send.tasks())) {
      replies.send(
          hand, part, hand.results(part, process.name(), slots, attempt, world.timeline().now()));
    }
  }

  private void notRun(SimBundle hand, Positions tasks, TaskStatus status, int attempt) {
    replies.send(
        hand,
        tasks,
        hand.notRun(tasks, status, process.name(), slots, attempt, world.timeline().now()));
  }

  private void dead(SimBundle hand, BundleEffect.SendDead send) {
    Bundle failed =
        new Bundle(
            hand.request.bundle().header(), send.tasks().stream().mapToObj(hand::task).toList());
    Request letter = Request.of(hand.request.run(), failed);
    world
        .cloud()
        .dead()
        .send(
            process,
            List.of(letter),
            Reply.orRefused(
                sent -> {
                  if (sent != null && sent.refused().isEmpty()) {
                    events.accept(hand, new BundleEvent.DeadAccepted(send.tasks()));
                  } else {
                    later(hand, new BundleEvent.DeadFailed(send.tasks()));
                  }
                },
                () -> {
                  world.witness().letterRefused(letter);
                  later(hand, new BundleEvent.DeadRefused(send.tasks(), REFUSED_MILLIS));
                }));
  }

  private void child(SimBundle parent, BundleEffect.SendChild child) {
    Request request = parent.child(child.k(), child.tasks());
    world.witness().sending(request);
    world.cloud().claims().expect(request);
    children.add(new Child(parent, child.k(), request));
  }

  private void sendChildren(List<Child> batch, Runnable answered) {
    queue.send(
        process,
        batch.stream().map(Child::request).toList(),
        Reply.orRefused(
            sent -> {
              for (int i = 0; i < batch.size(); i++) {
                Child child = batch.get(i);
                if (sent != null && !sent.refused().get(i)) {
                  events.accept(child.parent(), new BundleEvent.ChildAccepted(child.k()));
                } else {
                  later(child.parent(), new BundleEvent.ChildFailed(child.k()));
                }
              }
              answered.run();
            },
            () -> {
              for (Child child : batch) {
                later(child.parent(), new BundleEvent.ChildRefused(child.k(), REFUSED_MILLIS));
              }
              answered.run();
            }));
  }

  private void later(SimBundle hand, BundleEvent event) {
    process.in(backOff.millis(3) * 1000, () -> events.accept(hand, event));
  }
}
