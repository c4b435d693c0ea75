package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.intake.IntakeLoad;
import io.cloudkon.core.protocol.intake.IntakeMachine;
import io.cloudkon.core.protocol.intake.IntakePhase;
import io.cloudkon.core.protocol.worker.BundlesInHand.HeldBundle;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;

/**
 * A worker: assigns received tasks to slots and requests more in time. Free slots take chunks of
 * tasks that take about a millisecond together, so that tasks of microseconds do not cost one event
 * each; longer tasks are assigned one by one. A chunk that takes much longer is cut. Pure; used by
 * one thread at a time.
 */
public final class WorkerMachine {
  /** How long a slot may keep finished results, and tasks that others could run. */
  private static final long CHUNK_MILLIS = 250;

  private final WorkerSettings settings;
  private final IntakeMachine intake;
  private final Estimates estimates = new Estimates();
  private final Slots slots;
  private final WatchedTime watched;
  private final SlotsForRanks slotsForRanks;
  private final FailedHere failedHere;
  private final List<WorkerEffect> effects = new ArrayList<>();
  private final BundlesInHand bundles;
  private final NextDecision nextDecision;
  private long lastAssigned;
  private boolean draining;
  private boolean sick;
  private double decidesIn = Double.POSITIVE_INFINITY;

  public WorkerMachine(WorkerSettings settings) {
    this.settings = settings;
    this.intake = new IntakeMachine(settings.intake());
    this.slots = new Slots(settings.slots());
    this.nextDecision = new NextDecision(slots, intake);
    this.watched = new WatchedTime(settings.tickMillis());
    this.slotsForRanks = new SlotsForRanks(slots, settings.slots());
    this.failedHere = new FailedHere(settings.only());
    this.bundles = new BundlesInHand(failedHere, settings.lease().margin(), effects);
  }

  /** Processes an event and returns the effects. */
  public List<WorkerEffect> on(WorkerEvent event, Moment now) {
    switch (event) {
      case WorkerEvent.Received received -> received(received, now);
      case WorkerEvent.ReceiveFailed failed -> intake.failed(now);
      case WorkerEvent.SlotFree free -> {
        slots.release(free.slot());
        ended(free, now);
      }
      case WorkerEvent.ChunkCut cut -> ended(cut.soFar(), now);
      case WorkerEvent.OfBundle of -> bundles.tell(of.bundle(), of.event(), now);
      case WorkerEvent.ClaimTook took -> intake.claimTook(took.micros());
      case WorkerEvent.KeepSlots keep -> slotsForRanks.on(keep);
      case WorkerEvent.Drain drain -> {
        draining = true;
        intake.drain();
        bundles.tellAll(new BundleEvent.Drain(), now);
      }
      case WorkerEvent.FellSick fell -> {
        sick(true);
        bundles.tellAll(new BundleEvent.Drain(), now);
      }
      case WorkerEvent.Recovered recovered -> sick(false);
      case WorkerEvent.Tick tick -> {
        bundles.tellAll(new BundleEvent.Tick(), now);
        if (watched.tick(now)) {
          for (int slot : slots.takeOverdue(CHUNK_MILLIS, now)) {
            effects.add(new WorkerEffect.CutChunk(slot));
          }
          makeRoomForOthers(now);
        }
      }
    }
    slotsForRanks.keepFree(now, effects);
    assign(now);
    begin(now);
    receive(now);
    List<WorkerEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  private void sick(boolean so) {
    sick = so;
    slotsForRanks.sick(so);
  }

  /**
   * After how many microseconds a {@link WorkerEvent.Tick} is needed to request a claim or a bundle
   * in time for the next free slot; infinite if every decision waits for another event. If a driver
   * ticks later, slots wait.
   */
  public double decidesInMicros() {
    return decidesIn;
  }

  /** The number of slots that run nothing and are not kept for ranks. */
  public int freeSlots() {
    return slots.free();
  }

  /**
   * The number of slots that run a task and will probably be free in a moment: a quarter of a
   * second by estimate, and not overdue by more.
   */
  public int slotsSoon(Moment now) {
    return slotsForRanks.soon(now);
  }

  /** The number of slots that run a task. */
  public int busySlots() {
    return slots.count() - slots.free();
  }

  /**
   * Whether it works on a bundle: its claim was granted, or may have been, or it needs none; or
   * whether the owner of one that it put back may have died.
   */
  public boolean works(Moment now) {
    return bundles.anyWork(now);
  }

  /** The number of bundles that are not closed. */
  public int bundlesInHand() {
    return bundles.size();
  }

  /** Whether the worker holds nothing and will receive nothing any more. */
  public boolean drained() {
    return intake.phase() == IntakePhase.STOPPED
        && bundles.size() == 0
        && slots.free() == slots.count();
  }

  /**
   * The attempt of the bundle's claim, or of its first task's claim if each task has one; 1 if
   * there is none.
   */
  public int attempt(long bundle) {
    return attempt(bundle, 0);
  }

  /** The attempt of the claim that guards the task at this position; 1 if there is no claim. */
  public int attempt(long bundle, int position) {
    HeldBundle held = bundles.get(bundle);
    return held == null ? 0 : held.holding().attempt(position);
  }

  // ---- events

  private void received(WorkerEvent.Received received, Moment now) {
    intake.arrived(received.bundles().size(), received.times().micros());
    Moment hidden = received.times().hiddenSince(received.begun(), settings.lease().margin());
    for (WorkerEvent.Arrival arrival : received.bundles()) {
      int count = arrival.bundle().tasks().size();
      double taskMicros = estimates.taskMicros(arrival.bundle());
      intake.sawBundle(taskMicros * count);
      // As published, a receive requests as many messages as possible.
      intake.holdAhead(
          arrival.bundle().header().claimsTasks() ? Limits.BATCH : Limits.BUNDLES_AHEAD);
      intake.inSequence(arrival.bundle().header().inSequence());
      Holding holding = Holding.of(arrival, settings, hidden);
      bundles.add(arrival.key(), new HeldBundle(holding, watched.at(now), taskMicros));
      if (draining || sick) {
        bundles.tell(arrival.key(), new BundleEvent.Drain(), now);
      } else if (failedHere.leaves(arrival.bundle().header().bundle(), now)) {
        bundles.tell(arrival.key(), new BundleEvent.GiveBack(FailedHere.HIDDEN), now);
      }
    }
  }

  /** Handles the tasks of a slot that have ended. */
  private void ended(WorkerEvent.SlotFree tasks, Moment now) {
    estimates.learn(tasks.samples());
    if (!tasks.failed().isEmpty()) {
      boolean elsewhere = failedHere.looksForOthers(now);
      bundles.tell(tasks.bundle(), new BundleEvent.RetryElsewhere(elsewhere), now);
    }
    HeldBundle held = bundles.get(tasks.bundle());
    if (held == null) {
      return;
    }
    if (!tasks.samples().isEmpty()) {
      held.taskMicros(estimates.taskMicros(held.holding().bundle()));
    }
    if (!tasks.notStarted().isEmpty() || !tasks.killed().isEmpty()) {
      bundles.tell(
          tasks.bundle(), new BundleEvent.Interrupted(tasks.notStarted(), tasks.killed()), now);
    }
    if (!tasks.finished().isEmpty()) {
      bundles.tell(
          tasks.bundle(),
          new BundleEvent.Finished(tasks.finished(), tasks.bytes(), tasks.failed()),
          now);
    }
  }

  // ---- decisions

  private void assign(Moment now) {
    if (slots.free() == 0 || !bundles.anyPending()) {
      return;
    }
    for (long key : bundles.keys()) {
      HeldBundle held = bundles.get(key);
      while (slots.free() > 0 && held != null && held.holding().pendingCount() > 0) {
        int pending = held.holding().pendingCount();
        int chunk = Estimates.chunk(held.taskMicros(), pending, slots.count());
        Positions tasks = bundles.take(key, held, chunk, startsAhead(held), now);
        if (tasks.isEmpty()) {
          break;
        }
        int slot = slots.assign(tasks.size(), held.taskMicros() * tasks.size(), now);
        lastAssigned = watched.at(now);
        effects.add(new WorkerEffect.Run(slot, key, tasks));
        held = bundles.get(key);
      }
    }
  }

  private int startsAhead(HeldBundle held) {
    return Estimates.startsAhead(held.taskMicros(), slots.count());
  }

  private void begin(Moment now) {
    if (draining || sick || !bundles.anyToBegin(slots.count())) {
      return;
    }
    for (long key : bundles.keys()) {
      HeldBundle held = bundles.get(key);
      while (held != null && held.holding().mayBegin(slots.count())) {
        if (!intake.begin(load(now))) {
          return;
        }
        bundles.tell(key, new BundleEvent.Begin(startsAhead(held)), now);
        assign(now);
        held = bundles.get(key);
      }
    }
  }

  private void receive(Moment now) {
    if (!settings.tasks() || sick) {
      decidesIn = Double.POSITIVE_INFINITY;
      return;
    }
    IntakeLoad load = load(now);
    int max = intake.receive(load, now);
    if (max > 0) {
      effects.add(new WorkerEffect.Receive(max));
    }
    decidesIn = draining ? Double.POSITIVE_INFINITY : nextDecision.inMicros(load, now);
  }

  /**
   * Gives back bundles that have not begun and hands on tasks of those that have, if every slot is
   * busy for long. The only worker would only receive them again.
   */
  private void makeRoomForOthers(Moment now) {
    if (settings.only()) {
      return;
    }
    IntakeLoad load = load(now);
    for (long key : bundles.keys()) {
      HeldBundle held = bundles.get(key);
      if (held == null) {
        continue;
      }
      long waited = watched.at(now) - Math.max(held.since(), lastAssigned);
      if (intake.stuck(load, waited)) {
        bundles.tell(
            key,
            held.holding().untouched() ? new BundleEvent.GiveBack() : new BundleEvent.HandOff(),
            now);
      }
    }
  }

  private IntakeLoad load(Moment now) {
    return bundles.load(slots, intake, now);
  }
}
