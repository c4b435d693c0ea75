package io.cloudkon.simulator.fleet;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerMachine;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.cloud.Delivery;
import io.cloudkon.simulator.cloud.SimEntries;
import io.cloudkon.simulator.cloud.SimScaling;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A worker: the production machine, and a driver that does what it says. */
public final class SimWorker {
  private static final long LONG_POLL = 20_000_000;
  private static final long DRAIN_MILLIS = 90_000;

  /** The machine's clock counts milliseconds. */
  private static final long ROUNDING = 500;

  private final World world;
  private final SimProcess process;
  private final WorkerSetup setup;
  private final WorkerMachine machine;
  private final SimSlots slots;
  private final Replies replies;
  private final Carrier carrier;
  private final RunLooks runs;
  private final @Nullable SimGangs gangs;
  private final @Nullable SimLifetime lifetime;
  private final @Nullable SimMonitor monitor;
  private final Map<Long, Hand> hands = new LinkedHashMap<>();
  private final long bornAt;
  private long keys;
  private long nextRunLook;
  private long decidesAt;
  private int slotsKept;
  private boolean receiving;
  private boolean ticking;
  private boolean draining;
  private boolean gone;

  /** A worker that begins now. */
  public SimWorker(World world, SimProcess process, WorkerSetup setup) {
    this.world = world;
    this.process = process;
    this.setup = setup;
    this.bornAt = world.timeline().now();
    SplittableRandom random = world.random().split();
    BackOff backOff = new BackOff(50, 2_000, random);
    machine = new WorkerMachine(setup.settings(process.name()));
    slots = new SimSlots(world, process, setup.slots(), setup.overheadMicros(), this::tell);
    runs = new RunLooks(world, process, this::runClosed);
    replies =
        new Replies(world, process, runs, backOff, setup.replyTimeoutMillis(), this::tellOfBundle);
    carrier =
        new Carrier(
            world,
            world.cloud().requests(),
            process,
            setup.slots(),
            backOff,
            replies,
            this::tell,
            this::tellOfBundle);
    WorkerSetup.GangTimes times = setup.gangs();
    gangs =
        times == null
            ? null
            : new SimGangs(world, process, setup, times, runs, machine::freeSlots, this::tell);
    WorkerSetup.Lifetime life = setup.lifetime();
    SimScaling scaling = world.cloud().scalingIfAny();
    if (life == null || scaling == null) {
      lifetime = null;
    } else {
      lifetime =
          new SimLifetime(
              world,
              scaling,
              process,
              random.split(),
              life,
              gangs != null,
              () -> drain(DRAIN_MILLIS));
      if (gangs != null) {
        gangs.endsBy(lifetime);
      }
    }
    SimEntries entries = world.cloud().entriesIfAny();
    monitor =
        entries == null
            ? null
            : new SimMonitor(
                entries,
                process,
                life == null ? WorkerOrigin.BY_HAND : life.origin(),
                setup.slots(),
                this::busySlots,
                slots::tasksDone,
                this::role);
    process.onResume(this::goesOn);
    process.in(random.nextLong(setup.tickMicros()), () -> tell(new WorkerEvent.Tick()));
  }

  public SimProcess process() {
    return process;
  }

  private void goesOn() {
    if (gangs != null) {
      gangs.goesOn();
    }
    tell(new WorkerEvent.Tick());
  }

  /** Dead, gone, or with nothing in hand. */
  public boolean idle() {
    boolean noGangs = gangs == null || gangs.idle();
    return process.dead() || gone || (machine.bundlesInHand() == 0 && slots.idle() && noGangs);
  }

  /** From here on it dies at no effect any more. */
  public void livesOn() {
    process.livesOn();
  }

  /** Neither dead nor stopped now. */
  public boolean unharmed() {
    return !process.dead() && !process.paused();
  }

  /** Dead, or gone. */
  public boolean left() {
    return process.dead() || gone;
  }

  /** For how long tasks ran here that came to their end, in microseconds. */
  public long busyMicros() {
    return slots.busyMicros();
  }

  public int slots() {
    return setup.slots();
  }

  /** When it began, in microseconds. */
  public long bornAt() {
    return bornAt;
  }

  private String role() {
    return draining ? "draining" : gangs == null ? "worker" : gangs.role();
  }

  private int busySlots() {
    return Math.min(setup.slots(), machine.busySlots() + (gangs == null ? 0 : gangs.busy()));
  }

  /** SIGTERM: what runs may finish within the timeout. */
  public void drain(long timeoutMillis) {
    process.in(
        0,
        () -> {
          world.trace().say(process.name(), "drains");
          draining = true;
          if (lifetime != null) {
            lifetime.leaves();
          }
          slots.stop();
          tell(new WorkerEvent.Drain());
          if (gangs != null) {
            gangs.drain();
            process.in(timeoutMillis * 1000, gangs::kill);
          }
          process.in(timeoutMillis * 1000, slots::killAll);
        });
  }

  /** For so many microseconds it can start no task. */
  public void sicken(long micros) {
    process.in(0, () -> slots.sicken(micros));
  }

  /** Results can go nowhere, from here on or no longer. */
  public void resultsGoNowhere(boolean from) {
    replies.goNowhere(from);
    if (gangs != null) {
      gangs.resultsGoNowhere(from);
    }
  }

  private void runClosed(SimRun run) {
    if (gangs != null) {
      gangs.runClosed(run);
    }
    for (Hand hand : List.copyOf(hands.values())) {
      if (hand.request.run().index() == run.index()) {
        tellOfBundle(hand, new BundleEvent.RunClosed());
      }
    }
  }

  // ---- the loop

  /** Ticks while there is anything that time could change. */
  private void keepTicking() {
    if (gone) {
      return;
    }
    boolean needed = !receiving || !hands.isEmpty() || draining || !slots.idle();
    if (needed && !ticking) {
      ticking = true;
      process.in(setup.tickMicros(), this::tick);
    }
  }

  private void tick() {
    ticking = false;
    if (world.timeline().now() >= nextRunLook) {
      nextRunLook = world.timeline().now() + 500_000;
      hands.values().stream()
          .map(hand -> hand.request.run())
          .distinct()
          .toList()
          .forEach(runs::look);
    }
    tell(new WorkerEvent.Tick());
    if (machine.drained() && carrier.settled() && (gangs == null || gangs.gone()) && !gone) {
      gone = true;
      world.trace().say(process.name(), "is gone");
      if (lifetime != null) {
        lifetime.over();
      }
      if (monitor != null) {
        monitor.over();
      }
    }
  }

  private void tellOfBundle(Hand hand, BundleEvent event) {
    tell(new WorkerEvent.OfBundle(hand.key, event));
  }

  private void tell(WorkerEvent event) {
    if (process.dead() || gone) {
      return;
    }
    WorkerEvent told = world.twist().told(event);
    List<WorkerEffect> effects = world.twist().wanted(told, machine.on(told, process.now()));
    for (WorkerEffect effect : effects) {
      for (WorkerEvent more : world.twist().follows(effect)) {
        process.in(0, () -> tell(more));
      }
      carryOut(effect);
    }
    if (gangs != null) {
      gangs.slotsChanged();
    }
    if (lifetime != null && inHand()) {
      lifetime.worked();
    }
    keepTicking();
    tickInTime();
  }

  private boolean inHand() {
    return machine.bundlesInHand() > 0 || slotsKept > 0 || (gangs != null && !gangs.idle());
  }

  /** As the worker's own loop does, where a decision is due before its next tick. */
  private void tickInTime() {
    double due = machine.decidesInMicros();
    if (due >= setup.tickMicros() || gone) {
      return;
    }
    long at = world.timeline().now() + (long) due + ROUNDING;
    if (decidesAt <= world.timeline().now() || at < decidesAt) {
      decidesAt = at;
      process.in((long) due + ROUNDING, () -> decide(at));
    }
  }

  private void decide(long at) {
    if (decidesAt == at) {
      tell(new WorkerEvent.Tick());
    }
  }

  private void carryOut(WorkerEffect effect) {
    switch (effect) {
      case WorkerEffect.Receive receive -> receive(receive.max());
      case WorkerEffect.SlotsKept kept -> {
        slotsKept = kept.slots();
        if (gangs != null) {
          gangs.slotsKept(kept.question(), kept.slots());
        }
      }
      case WorkerEffect.Run run -> {
        Hand hand = hand(run.bundle());
        mayAct("run", hand);
        slots.run(run, hand, machine.attempt(run.bundle()));
      }
      case WorkerEffect.CutChunk cut -> slots.cut(cut.slot());
      case WorkerEffect.OfBundle of -> carryOut(hand(of.bundle()), of.effect());
    }
  }

  private Hand hand(long key) {
    Hand hand = hands.get(key);
    if (hand == null) {
      throw new Violation("%s wants something for closed bundle %d", process.name(), key);
    }
    return hand;
  }

  private void mayAct(String what, Hand hand) {
    world
        .witness()
        .mayAct(
            what,
            process.name(),
            hand.request,
            hand.nonce,
            machine.attempt(hand.key),
            world.serviceMillis());
  }

  private void carryOut(Hand hand, BundleEffect effect) {
    int attempt = machine.attempt(hand.key);
    switch (effect) {
      case BundleEffect.CallClaims call -> carrier.claims(hand, call.call());
      case BundleEffect.SendResults send -> {
        mayAct("results", hand);
        carrier.results(hand, send, attempt);
      }
      case BundleEffect.SendLost send -> {
        mayAct("LOST", hand);
        carrier.lost(hand, send, attempt);
      }
      case BundleEffect.SendFailed send -> {
        mayAct("FAILED", hand);
        carrier.failed(hand, send, attempt);
      }
      case BundleEffect.SendDead send -> {
        mayAct("dead letter", hand);
        carrier.dead(hand, send);
      }
      case BundleEffect.SendChild child -> {
        mayAct("child", hand);
        carrier.child(hand, child);
      }
      case BundleEffect.ExtendVisibility extend -> carrier.hide(hand, extend.millis());
      case BundleEffect.PutBack back -> carrier.hide(hand, back.millis());
      case BundleEffect.DeleteMessage delete -> carrier.delete(hand);
      case BundleEffect.NoteSick note -> carrier.noteSick(hand, note.claim());
      case BundleEffect.Kill kill -> slots.kill(hand);
      case BundleEffect.Close close -> {
        if (world.trace().on()) {
          world.trace().say(process.name(), "closes %s: %s", hand, close.reason());
        }
        hand.closed = true;
        hands.remove(hand.key);
      }
    }
  }

  // ---- receiving

  private void receive(int max) {
    receiving = true;
    Moment begun = process.now();
    long begunMicros = world.timeline().now();
    world
        .cloud()
        .requests()
        .receive(
            process,
            max,
            lifetime == null ? LONG_POLL : lifetime.pollMicros(),
            setup.lease().lease() * 1000,
            got -> received(got, begun, begunMicros));
  }

  private void received(@Nullable List<Delivery<Request>> got, Moment begun, long begunMicros) {
    receiving = false;
    if (lifetime != null) {
      if (got != null && !got.isEmpty()) {
        lifetime.worked();
      }
      lifetime.requestsReceived(begunMicros, got != null && got.isEmpty());
    }
    if (got == null) {
      tell(new WorkerEvent.ReceiveFailed());
      return;
    }
    List<WorkerEvent.Arrival> arrivals = new ArrayList<>(got.size());
    for (Delivery<Request> delivery : got) {
      Bundle bundle = delivery.body().bundle();
      long key = ++keys;
      String nonce = world.twist().nonce(process.name() + "-" + key, bundle.header().bundle());
      Hand hand = new Hand(key, delivery, nonce, begunMicros, world.timeline().now());
      hands.put(key, hand);
      arrivals.add(new WorkerEvent.Arrival(key, bundle, nonce, delivery.receives()));
    }
    tell(new WorkerEvent.Received(arrivals, begun, world.timeline().now() - begunMicros));
    arrivals.stream()
        .map(arrival -> hands.get(arrival.key()))
        .filter(hand -> hand != null)
        .map(hand -> hand.request.run())
        .distinct()
        .toList()
        .forEach(runs::look);
  }

  @Override
  public String toString() {
    return "%s%s hands %s%s"
        .formatted(
            process.name(),
            process.dead() ? " (dead)" : gone ? " (gone)" : "",
            hands.values(),
            gangs == null || process.dead() ? "" : ", " + gangs);
  }
}
