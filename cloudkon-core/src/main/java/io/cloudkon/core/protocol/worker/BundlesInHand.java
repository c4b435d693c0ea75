package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.intake.IntakeLoad;
import io.cloudkon.core.protocol.intake.IntakeMachine;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bundles that a worker holds, in the order of their arrival. Passes events to them, adds their
 * effects to those of the worker, and sums up their work. Pure; used by one thread at a time.
 */
final class BundlesInHand {
  private final FailedHere failedHere;
  private final List<WorkerEffect> effects;
  private final ForeignClaims elsewhere;
  private final Map<Long, HeldBundle> bundles = new LinkedHashMap<>();

  /** A bundle that the worker holds, and the estimated microseconds per task; NaN if unknown. */
  static final class HeldBundle {
    private final Holding holding;
    private final long since;
    private double taskMicros;

    HeldBundle(Holding holding, long since, double taskMicros) {
      this.holding = holding;
      this.since = since;
      this.taskMicros = taskMicros;
    }

    Holding holding() {
      return holding;
    }

    /** The {@link WatchedTime} of its arrival. */
    long since() {
      return since;
    }

    double taskMicros() {
      return taskMicros;
    }

    /** Replaces the estimate. */
    void taskMicros(double micros) {
      taskMicros = micros;
    }
  }

  /**
   * A worker that holds nothing.
   *
   * @param failedHere learns of the children of failed tasks
   * @param marginMillis the maximum difference between two clocks, in milliseconds
   * @param effects receives the effects of the bundles
   */
  BundlesInHand(FailedHere failedHere, long marginMillis, List<WorkerEffect> effects) {
    this.failedHere = failedHere;
    this.elsewhere = new ForeignClaims(marginMillis);
    this.effects = effects;
  }

  void add(long key, HeldBundle bundle) {
    bundles.put(key, bundle);
  }

  @Nullable HeldBundle get(long key) {
    return bundles.get(key);
  }

  /** The keys of the bundles that are held now, some of which may be closed meanwhile. */
  List<Long> keys() {
    return List.copyOf(bundles.keySet());
  }

  int size() {
    return bundles.size();
  }

  /** Whether one of them is work of this worker, or one that it put back may soon be. */
  boolean anyWork(Moment now) {
    for (HeldBundle held : bundles.values()) {
      if (held.holding.isWork(now)) {
        return true;
      }
    }
    return elsewhere.mayBecomeFree(now);
  }

  /** Whether a task waits for a slot and may start. */
  boolean anyPending() {
    for (HeldBundle held : bundles.values()) {
      if (held.holding.pendingCount() > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether there is a claim to request when a slot is about to become free.
   *
   * @param slots the number of the worker's slots
   */
  boolean anyToBegin(int slots) {
    for (HeldBundle held : bundles.values()) {
      if (held.holding.mayBegin(slots)) {
        return true;
      }
    }
    return false;
  }

  // ---- events

  void tellAll(BundleEvent event, Moment now) {
    for (long key : keys()) {
      tell(key, event, now);
    }
  }

  /** Passes an event to a bundle; does nothing if it is closed. */
  void tell(long key, BundleEvent event, Moment now) {
    HeldBundle held = bundles.get(key);
    if (held != null) {
      if (event instanceof BundleEvent.AcquireAnswered answered) {
        elsewhere.answered(answered.answer(), now);
      }
      emit(key, held.holding.on(event, now), now);
      if (held.holding.oneByOne() && anotherOneByOne(key)) {
        emit(key, held.holding.on(new BundleEvent.Postpone(), now), now);
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

  /**
   * Takes tasks of a bundle for a slot; they count as running from then on.
   *
   * @param bundle the bundle of this key
   * @param max the maximum number of tasks
   * @param startsAhead in at-most-once, how many starts may be recorded in advance
   */
  Positions take(long key, HeldBundle bundle, int max, int startsAhead, Moment now) {
    List<BundleEffect> out = new ArrayList<>();
    Positions tasks = bundle.holding.take(max, startsAhead, now, out);
    emit(key, out, now);
    return tasks;
  }

  private void emit(long key, List<BundleEffect> of, Moment now) {
    for (BundleEffect effect : of) {
      HeldBundle from = bundles.get(key);
      if (effect instanceof BundleEffect.SendChild child && from != null) {
        failedHere.sending(from.holding.bundle().header().bundle(), child, now);
      }
      effects.add(new WorkerEffect.OfBundle(key, effect));
      if (effect instanceof BundleEffect.Close) {
        bundles.remove(key);
      }
    }
  }

  // ---- their work

  /** The work in hand and the slots for it, as input for the intake. */
  IntakeLoad load(Slots slots, IntakeMachine intake, Moment now) {
    int begunTasks = 0;
    double begunMicros = 0;
    int held = 0;
    double heldMicros = 0;
    int allHeldTasks = 0;
    for (HeldBundle bundle : bundles.values()) {
      int heldTasks = bundle.holding.heldTasks();
      if (heldTasks > 0) {
        held++;
        heldMicros += bundle.taskMicros * heldTasks;
        allHeldTasks += heldTasks;
      }
      int waiting = bundle.holding.begunTasks();
      begunTasks += waiting;
      begunMicros += waiting == 0 ? 0 : bundle.taskMicros * waiting;
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
