package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.intake.IntakeLoad;
import io.cloudkon.core.protocol.intake.IntakeMachine;
import io.cloudkon.core.protocol.intake.IntakePhase;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A worker: assigns received tasks to slots and requests more in time. Free slots take chunks of
 * tasks that take about a millisecond together, so that tasks of microseconds do not cost one event
 * each; longer tasks are assigned one by one. A chunk that takes much longer is cut. Pure; used by
 * one thread at a time.
 */
public final class WorkerMachine {
  /** How long a slot may keep finished results, and tasks that others could run. */
  private static final long CHUNK_MILLIS = 250;

  /** For how long a rank may be promised a slot that runs a task, in microseconds. */
  private static final double SOON_MICROS = 250_000;

  private final WorkerSettings settings;
  private final IntakeMachine intake;
  private final Estimates estimates = new Estimates();
  private final Map<Long, InHand> bundles = new LinkedHashMap<>();
  private final Slots slots;
  private final FailedHere failedHere;
  private final List<WorkerEffect> effects = new ArrayList<>();
  private long keepQuestion;
  private int keepWanted;
  private boolean keepAsked;
  private boolean draining;
  private boolean sick;
  private double decidesIn = Double.POSITIVE_INFINITY;

  /** A bundle that the worker holds. */
  private static final class InHand {
    final Holding holding;
    final Moment since;
    double taskMicros;

    InHand(Holding holding, Moment since, double taskMicros) {
      this.holding = holding;
      this.since = since;
      this.taskMicros = taskMicros;
    }
  }

  public WorkerMachine(WorkerSettings settings) {
    this.settings = settings;
    this.intake = new IntakeMachine(settings.intake());
    this.slots = new Slots(settings.slots());
    this.failedHere = new FailedHere(settings.only());
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
      case WorkerEvent.OfBundle of -> tell(of.bundle(), of.event(), now);
      case WorkerEvent.ClaimTook took -> intake.claimTook(took.micros());
      case WorkerEvent.KeepSlots keep -> {
        keepQuestion = keep.question();
        keepWanted = Math.min(keep.slots(), settings.slots());
        slots.keep(Math.min(slots.kept(), keepWanted));
        keepAsked = true;
      }
      case WorkerEvent.Drain drain -> {
        draining = true;
        intake.drain();
        tellAll(new BundleEvent.Drain(), now);
      }
      case WorkerEvent.FellSick fell -> {
        sick = true;
        tellAll(new BundleEvent.Drain(), now);
      }
      case WorkerEvent.Recovered recovered -> sick = false;
      case WorkerEvent.Tick tick -> {
        tellAll(new BundleEvent.Tick(), now);
        for (int slot : slots.takeOverdue(CHUNK_MILLIS, now)) {
          effects.add(new WorkerEffect.CutChunk(slot));
        }
        makeRoomForOthers(now);
      }
    }
    keepSlots(now);
    assign(now);
    begin(now);
    receive(now);
    List<WorkerEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
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
    return slots.dueWithin(SOON_MICROS, now);
  }

  /** The number of slots that run a task. */
  public int busySlots() {
    return slots.count() - slots.free();
  }

  /** The number of bundles that are not closed. */
  public int bundlesInHand() {
    return bundles.size();
  }

  /** Whether the worker holds nothing and will receive nothing any more. */
  public boolean drained() {
    return intake.phase() == IntakePhase.STOPPED
        && bundles.isEmpty()
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
    InHand inHand = bundles.get(bundle);
    return inHand == null ? 0 : inHand.holding.attempt(position);
  }

  // ---- events

  private void received(WorkerEvent.Received received, Moment now) {
    intake.arrived(received.bundles().size(), received.micros());
    for (WorkerEvent.Arrival arrival : received.bundles()) {
      int count = arrival.bundle().tasks().size();
      double taskMicros = estimates.taskMicros(arrival.bundle());
      intake.sawBundle(taskMicros * count);
      // As published, a receive requests as many messages as possible.
      intake.holdAhead(
          arrival.bundle().header().claimsTasks() ? Limits.BATCH : Limits.BUNDLES_AHEAD);
      intake.inSequence(arrival.bundle().header().inSequence());
      Holding holding = Holding.of(arrival, settings, received.begun());
      bundles.put(arrival.key(), new InHand(holding, now, taskMicros));
      if (draining || sick) {
        tell(arrival.key(), new BundleEvent.Drain(), now);
      } else if (failedHere.leaves(arrival.bundle().header().bundle(), now)) {
        tell(arrival.key(), new BundleEvent.GiveBack(FailedHere.HIDDEN), now);
      }
    }
  }

  /** Handles the tasks of a slot that have ended. */
  private void ended(WorkerEvent.SlotFree tasks, Moment now) {
    estimates.learn(tasks.samples());
    if (!tasks.failed().isEmpty()) {
      boolean elsewhere = failedHere.looksForOthers(now);
      tell(tasks.bundle(), new BundleEvent.RetryElsewhere(elsewhere), now);
    }
    InHand inHand = bundles.get(tasks.bundle());
    if (inHand == null) {
      return;
    }
    if (!tasks.samples().isEmpty()) {
      inHand.taskMicros = estimates.taskMicros(inHand.holding.bundle());
    }
    if (!tasks.notStarted().isEmpty() || !tasks.killed().isEmpty()) {
      tell(tasks.bundle(), new BundleEvent.Interrupted(tasks.notStarted(), tasks.killed()), now);
    }
    if (!tasks.finished().isEmpty()) {
      tell(
          tasks.bundle(),
          new BundleEvent.Finished(tasks.finished(), tasks.bytes(), tasks.failed()),
          now);
    }
  }

  private void tellAll(BundleEvent event, Moment now) {
    for (long key : List.copyOf(bundles.keySet())) {
      tell(key, event, now);
    }
  }

  private void tell(long key, BundleEvent event, Moment now) {
    InHand inHand = bundles.get(key);
    if (inHand != null) {
      emit(key, inHand.holding.on(event, now), now);
      if (inHand.holding.oneByOne() && anotherOneByOne(key)) {
        emit(key, inHand.holding.on(new BundleEvent.Postpone(), now), now);
      }
    }
  }

  /**
   * Whether another bundle runs here during which workers died, and during which this one may die.
   */
  private boolean anotherOneByOne(long key) {
    return bundles.entrySet().stream()
        .anyMatch(other -> other.getKey() != key && other.getValue().holding.oneByOne());
  }

  private void emit(long key, List<BundleEffect> of, Moment now) {
    for (BundleEffect effect : of) {
      InHand from = bundles.get(key);
      if (effect instanceof BundleEffect.SendChild child && from != null) {
        failedHere.sending(from.holding.bundle().header().bundle(), child, now);
      }
      effects.add(new WorkerEffect.OfBundle(key, effect));
      if (effect instanceof BundleEffect.Close) {
        bundles.remove(key);
      }
    }
  }

  // ---- decisions

  /** Keeps free slots for ranks, which take precedence over tasks. */
  private void keepSlots(Moment now) {
    int before = slots.kept();
    int more = Math.max(0, Math.min(keepWanted - before, slots.free()));
    if (more > 0 || keepAsked) {
      keepAsked = false;
      slots.keep(before + more);
      effects.add(new WorkerEffect.SlotsKept(keepQuestion, before + more, slotsSoon(now)));
    }
  }

  private void assign(Moment now) {
    if (slots.free() == 0 || !anyPending()) {
      return;
    }
    for (long key : List.copyOf(bundles.keySet())) {
      InHand inHand = bundles.get(key);
      while (slots.free() > 0 && inHand != null && inHand.holding.pendingCount() > 0) {
        int pending = inHand.holding.pendingCount();
        List<BundleEffect> out = new ArrayList<>();
        int chunk = Estimates.chunk(inHand.taskMicros, pending, slots.count());
        Positions tasks = inHand.holding.take(chunk, startsAhead(inHand), now, out);
        emit(key, out, now);
        if (tasks.isEmpty()) {
          break;
        }
        int slot = slots.assign(tasks.size(), inHand.taskMicros * tasks.size(), now);
        effects.add(new WorkerEffect.Run(slot, key, tasks));
        inHand = bundles.get(key);
      }
    }
  }

  private boolean anyPending() {
    for (InHand inHand : bundles.values()) {
      if (inHand.holding.pendingCount() > 0) {
        return true;
      }
    }
    return false;
  }

  private boolean anyToBegin() {
    for (InHand inHand : bundles.values()) {
      if (inHand.holding.mayBegin(slots.count())) {
        return true;
      }
    }
    return false;
  }

  private int startsAhead(InHand inHand) {
    return Estimates.startsAhead(inHand.taskMicros, slots.count());
  }

  private void begin(Moment now) {
    if (draining || sick || !anyToBegin()) {
      return;
    }
    for (long key : List.copyOf(bundles.keySet())) {
      InHand inHand = bundles.get(key);
      while (inHand != null && inHand.holding.mayBegin(slots.count())) {
        if (!intake.begin(load(now))) {
          return;
        }
        tell(key, new BundleEvent.Begin(startsAhead(inHand)), now);
        assign(now);
        inHand = bundles.get(key);
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
    decidesIn = decidesIn(load, now);
  }

  private double decidesIn(IntakeLoad load, Moment now) {
    if (draining) {
      return Double.POSITIVE_INFINITY;
    }
    double claim = load.held() > 0 ? until(intake.claimCover(), now) : Double.POSITIVE_INFINITY;
    double receive = intake.watching() ? until(intake.cover(), now) : Double.POSITIVE_INFINITY;
    return Math.min(claim, receive);
  }

  /** The estimated time until one more slot is free within that many microseconds. */
  private double until(double micros, Moment now) {
    return slots.after(now, micros) - micros;
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
    for (long key : List.copyOf(bundles.keySet())) {
      InHand inHand = bundles.get(key);
      if (inHand == null) {
        continue;
      }
      long waited = now.mono() - Math.max(inHand.since.mono(), slots.lastAssigned());
      if (intake.stuck(load, waited)) {
        tell(
            key,
            inHand.holding.untouched() ? new BundleEvent.GiveBack() : new BundleEvent.HandOff(),
            now);
      }
    }
  }

  private IntakeLoad load(Moment now) {
    int begunTasks = 0;
    double begunMicros = 0;
    int held = 0;
    double heldMicros = 0;
    int allHeldTasks = 0;
    for (InHand inHand : bundles.values()) {
      int heldTasks = inHand.holding.heldTasks();
      if (heldTasks > 0) {
        held++;
        heldMicros += inHand.taskMicros * heldTasks;
        allHeldTasks += heldTasks;
      }
      int waiting = inHand.holding.begunTasks();
      begunTasks += waiting;
      begunMicros += waiting == 0 ? 0 : inHand.taskMicros * waiting;
    }
    return new IntakeLoad(
        slots.count(),
        slots.free(),
        slots.soon(now),
        begunTasks,
        begunMicros,
        held,
        heldMicros,
        allHeldTasks,
        slots.freeWithin(intake.claimCover(), now),
        slots.freeWithin(intake.cover(), now));
  }
}
