package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.MessageLease;
import io.cloudkon.core.time.Moment;
import java.util.List;

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
  private final Moment hiddenSince;
  private final int count;
  private final MessageStage message;
  private final BegunTasks begun = new BegunTasks();

  TaskByTask(WorkerEvent.Arrival arrival, WorkerSettings settings, Moment hiddenSince) {
    this.arrival = arrival;
    this.settings = settings;
    this.hiddenSince = hiddenSince;
    this.count = arrival.bundle().tasks().size();
    this.message = new MessageStage(count, new MessageLease(settings.lease(), hiddenSince));
  }

  @Override
  public Bundle bundle() {
    return arrival.bundle();
  }

  @Override
  public int attempt(int position) {
    OneTask task = begun.at(position);
    return task == null ? 0 : task.machine().attempt();
  }

  @Override
  public boolean oneByOne() {
    return begun.oneByOne();
  }

  @Override
  public boolean untouched() {
    return message.is(MessagePhase.HELD);
  }

  @Override
  public boolean isWork(Moment now) {
    return begun.isWork(now);
  }

  @Override
  public boolean mayBegin(int slots) {
    int ahead = bundle().header().inSequence() ? 0 : CLAIMED_AHEAD;
    return message.held() > 0 && begunTasks() < slots + ahead;
  }

  @Override
  public int heldTasks() {
    return message.held();
  }

  @Override
  public int begunTasks() {
    return begun.waiting();
  }

  @Override
  public int pendingCount() {
    return begun.pending();
  }

  // ---- events

  @Override
  public List<BundleEffect> on(BundleEvent event, Moment now) {
    switch (event) {
      case BundleEvent.Begin begin -> begin(begin, now);
      case BundleEvent.OfClaim answer -> tellOwner(answer.claim(), event, now);
      case BundleEvent.AcquireRefused refusal -> {
        message.leaveHeld(refusal.hiddenMillis(), now);
        tellOwner(refusal.claim(), event, now);
      }
      case BundleEvent.Finished finished -> tell(finished.tasks(), event, now);
      case BundleEvent.Interrupted interrupted -> {
        tell(interrupted.notStarted(), event, now);
        tell(interrupted.killed(), event, now);
      }
      case BundleEvent.ResultsAccepted accepted -> tell(accepted.tasks(), event, now);
      case BundleEvent.ResultsFailed failed -> tell(failed.tasks(), event, now);
      case BundleEvent.Undeliverable nowhere -> {
        message.leaveHeld(nowhere.hiddenMillis(), now);
        tell(nowhere.tasks(), event, now);
      }
      case BundleEvent.DeadAccepted accepted -> tellThose(accepted.tasks(), event, now);
      case BundleEvent.DeadFailed failed -> tellThose(failed.tasks(), event, now);
      case BundleEvent.DeadRefused refusal -> {
        message.leaveHeld(refusal.hiddenMillis(), now);
        tellThose(refusal.tasks(), event, now);
      }
      case BundleEvent.Postpone postpone -> tellAll(event, now);
      case BundleEvent.AttemptDied died -> tellAll(event, now);
      case BundleEvent.KilledByGuard killed -> tell(killed.tasks(), event, now);
      case BundleEvent.Sick sick -> tell(sick.tasks(), event, now);
      case BundleEvent.SickNoted noted -> tellOwner(noted.claim(), event, now);
      case BundleEvent.SickNoteFailed failed -> tellOwner(failed.claim(), event, now);
      case BundleEvent.Deleted deleted -> message.deleted();
      case BundleEvent.RunClosed closed -> {
        // These tasks are not needed any more.
        message.skipHeld();
        tellAll(event, now);
      }
      case BundleEvent.GiveBack giveBack -> {
        // Once some of its tasks have begun, the message would not become visible any sooner.
        if (untouched()) {
          message.leaveHeld(giveBack.hiddenMillis(), now);
        }
      }
      // A single task has no child to be handed on to: it is tried again here.
      case BundleEvent.RetryElsewhere elsewhere -> {}
      case BundleEvent.Drain drain -> {
        message.leaveHeld(0, now);
        tellAll(event, now);
      }
      case BundleEvent.Tick tick -> {
        message.tick(now);
        tellAll(event, now);
      }
      case BundleEvent.HandOff handOff -> handBack(now);
      case BundleEvent.ChildAccepted accepted -> {}
      case BundleEvent.ChildFailed failed -> {}
      case BundleEvent.ChildRefused refusal -> {}
    }
    if (begun.isEmpty()) {
      message.settle(now);
    }
    return message.take();
  }

  @Override
  public Positions take(int max, int startsAhead, Moment now, List<BundleEffect> out) {
    return begun.take(max, startsAhead, now, out);
  }

  private void begin(BundleEvent.Begin event, Moment now) {
    if (message.held() == 0) {
      return;
    }
    int position = message.begin();
    OneTask task = new OneTask(arrival, position, settings, hiddenSince);
    begun.add(position, task);
    tell(task, event, now);
  }

  /** Releases claimed tasks that wait behind a long one, because another worker may be idle. */
  private void handBack(Moment now) {
    message.leaveHeld(0, now);
    for (OneTask task : begun.all()) {
      if (task.machine().pendingCount() > 0) {
        tell(task, new BundleEvent.Drain(), now);
      }
    }
  }

  // ---- its tasks

  private void tellOwner(String claim, BundleEvent event, Moment now) {
    int position = BundleIds.positionOfClaim(claim);
    if (position < 0 && count > 1) {
      throw new IllegalArgumentException(
          "bundle %s has a claim for each of %d tasks, and an answer names none: %s"
              .formatted(bundle().header().bundle(), count, event));
    }
    OneTask task = begun.at(Math.max(0, position));
    if (task != null) {
      tell(task, event, now);
    }
  }

  private void tellThose(Positions tasks, BundleEvent event, Moment now) {
    if (tasks.isEmpty()) {
      tellAll(event, now);
    } else {
      tell(tasks, event, now);
    }
  }

  private void tellAll(BundleEvent event, Moment now) {
    for (OneTask task : begun.all()) {
      tell(task, event, now);
    }
  }

  private void tell(Positions tasks, BundleEvent event, Moment now) {
    tasks.stream()
        .forEach(position -> {
          OneTask task = begun.at(position);
          if (task != null) {
            tell(task, task.ofTask(event), now);
          }
        });
  }

  private void tell(OneTask task, BundleEvent event, Moment now) {
    if (message.is(MessagePhase.CLOSED)) {
      return;
    }
    boolean active = task.active();
    for (BundleEffect effect : task.machine().on(event, now)) {
      follow(task, active, effect, now);
    }
    if (task.machine().oneByOne() && begun.anotherOneByOne(task)) {
      tell(task, new BundleEvent.Postpone(), now);
    }
  }

  /**
   * Handles an effect of a task.
   *
   * @param active whether the task may have run before it
   */
  private void follow(OneTask task, boolean active, BundleEffect effect, Moment now) {
    switch (effect) {
      case BundleEffect.DeleteMessage delete -> begun.remove(task);
      case BundleEffect.PutBack putBack -> message.leave(putBack.millis(), now);
      case BundleEffect.Close close -> {
        begun.remove(task);
        if (close.reason() == Reason.LOST) {
          lost(active, now);
        }
      }
      case BundleEffect.Kill kill -> {
        // This would kill the tasks of the whole message.
        if (active) {
          message.add(kill);
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
          message.add(task.ofMessage(effect));
    }
  }

  /**
   * Handles a lost claim. If its task ran, all tasks of the message are killed and the message is
   * left; otherwise the others continue.
   */
  private void lost(boolean active, Moment now) {
    if (active) {
      begun.all().forEach(task -> task.survival().ifPresent(message::add));
      begun.clear();
      message.lost();
    } else {
      message.leave(settings.lease().lease(), now);
    }
  }
}
