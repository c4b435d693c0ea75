package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.MessageLease;
import io.cloudkon.core.protocol.worker.MessagePhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A message whose tasks have one claim each, as published (PROTOCOL.md, section 3). A task's claim
 * is requested when the task is about to start. The message is deleted when every task is done;
 * otherwise it is put back when nothing of it is left here, until the earliest time at which one of
 * the tasks may be tried again. It is never split. Pure; used by one thread at a time.
 */
final class TaskByTask implements Holding {
  /**
   * The number of tasks that are claimed in addition to the number of slots; more would only hold
   * leases.
   */
  private static final int CLAIMED_AHEAD = Limits.BATCH;

  private final WorkerEvent.Arrival arrival;
  private final WorkerSettings settings;
  private final MessageLease message;
  private final Moment receiveBegun;
  private final int count;
  private final List<BundleEffect> effects = new ArrayList<>();

  /** The tasks that are claimed and not finished, by position. */
  private final NavigableMap<Integer, OneTask> begun = new TreeMap<>();

  private MessagePhase phase = MessagePhase.TABLE.start();

  /** The first position for which no claim was requested. */
  private int next;

  private boolean left;

  /** The time at which the message becomes visible again if tasks are left; monotonic clock. */
  private long backAt = Long.MAX_VALUE;

  TaskByTask(WorkerEvent.Arrival arrival, WorkerSettings settings, Moment receiveBegun) {
    this.arrival = arrival;
    this.settings = settings;
    this.message = new MessageLease(settings.lease(), receiveBegun);
    this.receiveBegun = receiveBegun;
    this.count = arrival.bundle().tasks().size();
  }

  @Override
  public Bundle bundle() {
    return arrival.bundle();
  }

  @Override
  public int attempt(int position) {
    OneTask task = begun.get(position);
    return task == null ? 0 : task.machine().attempt();
  }

  @Override
  public boolean oneByOne() {
    return begun.values().stream().anyMatch(task -> task.machine().oneByOne());
  }

  @Override
  public boolean untouched() {
    return phase == MessagePhase.HELD;
  }

  @Override
  public boolean mayBegin(int slots) {
    int ahead = bundle().header().inSequence() ? 0 : CLAIMED_AHEAD;
    return next < count && begunTasks() < slots + ahead;
  }

  @Override
  public int heldTasks() {
    return count - next;
  }

  @Override
  public int begunTasks() {
    return (int) begun.values().stream().filter(OneTask::waits).count();
  }

  @Override
  public int pendingCount() {
    return begun.values().stream().mapToInt(task -> task.machine().pendingCount()).sum();
  }

  // ---- events

  @Override
  public List<BundleEffect> on(BundleEvent event, Moment now) {
    switch (event) {
      case BundleEvent.Begin begin -> begin(begin, now);
      case BundleEvent.AcquireAnswered answered -> tellOwner(answered.claim(), event, now);
      case BundleEvent.AcquireFailed failed -> tellOwner(failed.claim(), event, now);
      case BundleEvent.AcquireRefused refusal -> {
        putBackHeld(refusal.hiddenMillis(), now);
        tellOwner(refusal.claim(), event, now);
      }
      case BundleEvent.WriteAnswered answered -> tellOwner(answered.claim(), event, now);
      case BundleEvent.WriteFailed failed -> tellOwner(failed.claim(), event, now);
      case BundleEvent.Finished finished ->
          tell(finished.tasks(), task -> finished(finished, task), now);
      case BundleEvent.Interrupted interrupted -> {
        tell(
            interrupted.notStarted(),
            task -> new BundleEvent.Interrupted(OneTask.ONLY, Positions.none()),
            now);
        tell(
            interrupted.killed(),
            task -> new BundleEvent.Interrupted(Positions.none(), OneTask.ONLY),
            now);
      }
      case BundleEvent.ResultsAccepted accepted ->
          tell(accepted.tasks(), task -> new BundleEvent.ResultsAccepted(OneTask.ONLY), now);
      case BundleEvent.ResultsFailed failed ->
          tell(failed.tasks(), task -> new BundleEvent.ResultsFailed(OneTask.ONLY), now);
      case BundleEvent.Undeliverable nowhere -> {
        putBackHeld(nowhere.hiddenMillis(), now);
        tell(
            nowhere.tasks(),
            task -> new BundleEvent.Undeliverable(OneTask.ONLY, nowhere.hiddenMillis()),
            now);
      }
      case BundleEvent.DeadAccepted accepted -> tellThose(accepted.tasks(), event, now);
      case BundleEvent.DeadFailed failed -> tellThose(failed.tasks(), event, now);
      case BundleEvent.DeadRefused refusal -> {
        putBackHeld(refusal.hiddenMillis(), now);
        tellThose(refusal.tasks(), event, now);
      }
      case BundleEvent.Postpone postpone -> tellAll(event, now);
      case BundleEvent.AttemptDied died -> tellAll(event, now);
      case BundleEvent.KilledByGuard killed ->
          tell(killed.tasks(), task -> new BundleEvent.KilledByGuard(OneTask.ONLY), now);
      case BundleEvent.Sick sick ->
          tell(
              sick.tasks(),
              task -> new BundleEvent.Sick(OneTask.ONLY, sick.reason(), sick.hiddenMillis()),
              now);
      case BundleEvent.SickNoted noted -> tellOwner(noted.claim(), event, now);
      case BundleEvent.SickNoteFailed failed -> tellOwner(failed.claim(), event, now);
      case BundleEvent.Deleted deleted -> {
        if (phase == MessagePhase.DELETING) {
          move(Trigger.DELETED);
          effects.add(new BundleEffect.Close(Reason.COMPLETE));
        }
      }
      case BundleEvent.RunClosed closed -> {
        // These tasks are not needed any more.
        next = count;
        tellAll(event, now);
      }
      case BundleEvent.GiveBack giveBack -> {
        // Once some of its tasks have begun, the message would not become visible any sooner.
        if (untouched()) {
          putBackHeld(giveBack.hiddenMillis(), now);
        }
      }
      // A single task has no child to be handed on to: it is tried again here.
      case BundleEvent.RetryElsewhere elsewhere -> {}
      case BundleEvent.Drain drain -> {
        putBackHeld(0, now);
        tellAll(event, now);
      }
      case BundleEvent.Tick tick -> {
        if (phase == MessagePhase.HELD || phase == MessagePhase.BEGUN) {
          message.extend(now, effects);
        }
        tellAll(event, now);
      }
      case BundleEvent.HandOff handOff -> handBack(now);
      case BundleEvent.ChildAccepted accepted -> {}
      case BundleEvent.ChildFailed failed -> {}
      case BundleEvent.ChildRefused refusal -> {}
    }
    settle(now);
    return taken();
  }

  @Override
  public Positions take(int max, int startsAhead, Moment now, List<BundleEffect> out) {
    BitSet taken = new BitSet();
    List<BundleEffect> wanted = new ArrayList<>();
    for (OneTask task : begun.values()) {
      if (taken.cardinality() == max) {
        break;
      }
      if (task.machine().pendingCount() > 0
          && !task.machine().take(1, startsAhead, now, wanted).isEmpty()) {
        taken.or(task.here().toBits());
      }
    }
    // Only starts are recorded.
    out.addAll(wanted);
    return Positions.of(taken);
  }

  private void begin(BundleEvent.Begin event, Moment now) {
    if (next == count) {
      return;
    }
    if (untouched()) {
      move(Trigger.BEGIN);
    }
    OneTask task = new OneTask(arrival, next, settings, receiveBegun);
    begun.put(next, task);
    next++;
    tell(task, event, now);
  }

  /** Releases claimed tasks that wait behind a long one, because another worker may be idle. */
  private void handBack(Moment now) {
    putBackHeld(0, now);
    for (OneTask task : List.copyOf(begun.values())) {
      if (task.machine().pendingCount() > 0) {
        tell(task, new BundleEvent.Drain(), now);
      }
    }
  }

  private static BundleEvent finished(BundleEvent.Finished finished, OneTask task) {
    boolean failed = finished.failed().containsAll(task.here());
    return new BundleEvent.Finished(
        OneTask.ONLY,
        finished.bytes() / finished.tasks().size(),
        failed ? OneTask.ONLY : Positions.none());
  }

  // ---- its tasks

  private void tellOwner(String claim, BundleEvent event, Moment now) {
    int position = BundleIds.positionOfClaim(claim);
    if (position < 0 && count > 1) {
      throw new IllegalArgumentException(
          "bundle %s has a claim for each of %d tasks, and an answer names none: %s"
              .formatted(bundle().header().bundle(), count, event));
    }
    OneTask task = begun.get(Math.max(0, position));
    if (task != null) {
      tell(task, event, now);
    }
  }

  private void tellThose(Positions tasks, BundleEvent event, Moment now) {
    if (tasks.isEmpty()) {
      tellAll(event, now);
    } else {
      tell(tasks, task -> event, now);
    }
  }

  private void tellAll(BundleEvent event, Moment now) {
    for (OneTask task : List.copyOf(begun.values())) {
      tell(task, event, now);
    }
  }

  private void tell(Positions tasks, Function<OneTask, BundleEvent> event, Moment now) {
    tasks.stream()
        .forEach(position -> {
          OneTask task = begun.get(position);
          if (task != null) {
            tell(task, event.apply(task), now);
          }
        });
  }

  private void tell(OneTask task, BundleEvent event, Moment now) {
    if (phase == MessagePhase.CLOSED) {
      return;
    }
    boolean active = task.active();
    for (BundleEffect effect : task.machine().on(event, now)) {
      follow(task, active, effect, now);
    }
    if (task.machine().oneByOne() && anotherOneByOne(task)) {
      tell(task, new BundleEvent.Postpone(), now);
    }
  }

  private boolean anotherOneByOne(OneTask task) {
    return begun.values().stream().anyMatch(t -> !t.equals(task) && t.machine().oneByOne());
  }

  /**
   * Handles an effect of a task.
   *
   * @param active whether the task may have run before it
   */
  private void follow(OneTask task, boolean active, BundleEffect effect, Moment now) {
    switch (effect) {
      case BundleEffect.DeleteMessage delete -> over(task);
      case BundleEffect.PutBack putBack -> putBack(putBack.millis(), now);
      case BundleEffect.Close close -> {
        over(task);
        if (close.reason() == Reason.LOST) {
          lost(active, now);
        }
      }
      case BundleEffect.Kill kill -> {
        // This would kill the tasks of the whole message.
        if (active) {
          effects.add(kill);
        }
      }
      case BundleEffect.ExtendVisibility extend -> {}
      case BundleEffect.CallClaims _,
          BundleEffect.NoteSick _,
          BundleEffect.SendResults _,
          BundleEffect.SendLost _,
          BundleEffect.SendFailed _,
          BundleEffect.SendDead _,
          BundleEffect.SendChild _ ->
          effects.add(task.ofMessage(effect));
    }
  }

  private void over(OneTask task) {
    task.here().stream().forEach(begun::remove);
  }

  /**
   * Handles a lost claim. If its task ran, all tasks of the message are killed and the message is
   * left; otherwise the others continue.
   */
  private void lost(boolean active, Moment now) {
    if (active) {
      begun.values().forEach(task -> task.survival().ifPresent(effects::add));
      begun.clear();
      next = count;
      move(Trigger.LOST);
      effects.add(new BundleEffect.Close(Reason.LOST));
    } else {
      putBack(settings.lease().lease(), now);
    }
  }

  // ---- the message

  private void putBackHeld(long millis, Moment now) {
    if (next < count) {
      next = count;
      putBack(millis, now);
    }
  }

  private void putBack(long millis, Moment now) {
    left = true;
    backAt = Math.min(backAt, now.mono() + millis);
  }

  private void settle(Moment now) {
    boolean open = phase == MessagePhase.HELD || phase == MessagePhase.BEGUN;
    if (!open || next < count || !begun.isEmpty()) {
      return;
    }
    if (left) {
      move(Trigger.PUT_BACK);
      effects.add(new BundleEffect.PutBack(Math.max(0, backAt - now.mono())));
      effects.add(new BundleEffect.Close(Reason.GIVEN_BACK));
    } else {
      move(Trigger.ALL_DONE);
      effects.add(new BundleEffect.DeleteMessage());
    }
  }

  private List<BundleEffect> taken() {
    List<BundleEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  private void move(Trigger trigger) {
    phase = MessagePhase.TABLE.next(phase, trigger);
  }
}
