package io.cloudkon.core.faults;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerMachine;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A worker: the production machine, and the simplest driver that does what it says. */
final class SimWorker {
  static final LeaseSettings LEASE = LeaseSettings.DEFAULT;
  private static final long TICK = 100;
  private static final long POLL = 200;

  private final World world;
  private final String id;
  private final Lifeline life;
  private final WorkerMachine machine;
  private final SimSlots slots;
  private final SimCalls calls;
  private final Map<Long, Hand> hands = new LinkedHashMap<>();
  private long keys;
  private boolean gone;

  SimWorker(World world, String id, int slotCount, CrashPoint crash) {
    this.world = world;
    this.id = id;
    // Two clocks may be apart by the margin.
    long skew = world.random.nextLong(-LEASE.margin() / 2, LEASE.margin() / 2 + 1);
    life = new Lifeline(world, id, crash, skew);
    machine =
        new WorkerMachine(
            new WorkerSettings(
                id, slotCount, LEASE, ReplySettings.DEFAULT, IntakeSettings.DEFAULT));
    slots = new SimSlots(world, life, id, this::tell);
    calls = new SimCalls(world, life, id, slotCount, this::tell);
    life.onResume(() -> tell(new WorkerEvent.Tick()));
    life.in(world.random.nextInt((int) TICK), this::tick);
  }

  Lifeline life() {
    return life;
  }

  /** Dead, gone, or with nothing in hand. */
  boolean idle() {
    return life.dead() || gone || machine.bundlesInHand() == 0 && slots.idle();
  }

  boolean working() {
    return !life.dead() && !gone;
  }

  void pause(long millis, boolean withMachine) {
    life.pause(millis, withMachine);
  }

  /** SIGTERM: what runs may finish within the timeout. */
  void drain(long timeout) {
    life.in(
        0,
        () -> {
          world.trace("%s drains", id);
          slots.stop();
          tell(new WorkerEvent.Drain());
          life.in(timeout, slots::killAll);
        });
  }

  /** The run is known to be closed. */
  void runClosed() {
    List.copyOf(hands.values()).forEach(hand -> runClosed(hand));
  }

  private void runClosed(Hand hand) {
    life.in(0, () -> tell(new WorkerEvent.OfBundle(hand.key, new BundleEvent.RunClosed())));
  }

  private void tick() {
    if (gone) {
      return;
    }
    tell(new WorkerEvent.Tick());
    if (machine.drained()) {
      gone = true;
      world.trace("%s is gone", id);
    }
    life.in(TICK, this::tick);
  }

  private void tell(WorkerEvent event) {
    if (life.dead() || gone) {
      return;
    }
    Moment now = life.now();
    for (WorkerEffect effect : machine.on(event, now)) {
      switch (effect) {
        case WorkerEffect.Receive receive -> receive(receive.max(), now);
        case WorkerEffect.Run run -> run(run);
        case WorkerEffect.OfBundle of -> carryOut(hand(of.bundle()), of.effect());
      }
    }
  }

  private Hand hand(long key) {
    Hand hand = hands.get(key);
    if (hand == null) {
      throw new Violation("%s wants something for closed bundle %d", id, key);
    }
    return hand;
  }

  private void run(WorkerEffect.Run run) {
    Hand hand = hand(run.bundle());
    mayAct("run of " + run.tasks(), hand);
    slots.run(run, hand, machine.attempt(run.bundle()));
  }

  private void mayAct(String what, Hand hand) {
    world.witness.mayAct(
        what, id, hand.id(), hand.nonce, machine.attempt(hand.key), world.time.serviceMillis());
  }

  private void carryOut(Hand hand, BundleEffect effect) {
    int attempt = machine.attempt(hand.key);
    switch (effect) {
      case BundleEffect.CallClaims call -> {
        calls.claims(hand, call.call());
        if (world.has(Bug.DELETED_EARLY) && call.call() instanceof ClaimEffect.Write) {
          calls.delete(hand);
        }
      }
      case BundleEffect.SendResults send -> {
        mayAct("results " + send.tasks(), hand);
        calls.results(hand, attempt, send.tasks());
      }
      case BundleEffect.SendLost send -> {
        mayAct("LOST " + send.tasks(), hand);
        calls.notRun(hand, attempt, send.tasks(), TaskStatus.LOST, "its worker was lost");
      }
      case BundleEffect.SendFailed send -> {
        mayAct("FAILED " + send.tasks(), hand);
        calls.notRun(hand, attempt, send.tasks(), TaskStatus.FAILED, send.reason());
      }
      case BundleEffect.SendDead send -> {
        mayAct("dead letter " + send.tasks(), hand);
        calls.dead(hand, send.tasks(), send.reason());
      }
      case BundleEffect.SendChild child -> {
        mayAct("child " + child.k(), hand);
        calls.child(hand, child.k(), child.tasks());
      }
      case BundleEffect.ExtendVisibility extend -> calls.visibility(hand, extend.millis(), "hide");
      case BundleEffect.PutBack back ->
          calls.visibility(hand, (back.millis() + 999) / 1000 * 1000, "put back");
      case BundleEffect.DeleteMessage delete -> {
        world.witness.deleting(id, hand.id());
        calls.delete(hand);
      }
      case BundleEffect.Kill kill -> slots.kill(hand);
      case BundleEffect.Close close -> {
        world.trace("%s closes %s: %s", id, hand, close.reason());
        hand.closed = true;
        hands.remove(hand.key);
      }
    }
  }

  private void receive(int max, Moment begun) {
    life.call(
        "receive %d".formatted(max),
        () -> {
          List<ReceivedMessage> got;
          try {
            got =
                world
                    .cluster
                    .requests()
                    .receive(max, Duration.ZERO, Duration.ofMillis(LEASE.lease()));
          } catch (TransientServiceException e) {
            return () -> life.in(POLL, () -> tell(new WorkerEvent.ReceiveFailed()));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          long wait = got.isEmpty() ? POLL : world.latency();
          return () -> life.in(wait, () -> received(got, begun));
        });
  }

  private void received(List<ReceivedMessage> got, Moment begun) {
    List<WorkerEvent.Arrival> arrivals = new ArrayList<>();
    for (ReceivedMessage message : got) {
      Bundle bundle = Wire.bundle(message.payload());
      long key = ++keys;
      String nonce = world.has(Bug.NONCE_REUSED) ? bundle.header().bundle() : id + "-" + key;
      Hand hand = new Hand(key, bundle, message.handle(), nonce);
      world.trace("%s has %s", id, hand);
      hands.put(key, hand);
      arrivals.add(new WorkerEvent.Arrival(key, bundle, nonce, message.receives()));
    }
    long micros = (life.now().mono() - begun.mono()) * 1000;
    tell(new WorkerEvent.Received(arrivals, begun, micros));
    if (world.client.cancelled()) {
      arrivals.forEach(
          arrival -> tell(new WorkerEvent.OfBundle(arrival.key(), new BundleEvent.RunClosed())));
    }
  }

  /** The number of effects so far. */
  int effects() {
    return life.effects();
  }

  @Override
  public String toString() {
    return "%s%s hands %s".formatted(id, life.dead() ? " (dead)" : gone ? " (gone)" : "", hands);
  }
}
