package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.MessageLease;
import io.cloudkon.core.protocol.worker.MessagePhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;

/**
 * The current phase of a message whose tasks have one claim each, with the pending effects. Tasks
 * begin in order. The message is kept hidden until none is left here; then it is put back, if tasks
 * of it were left to its next receiver, or else deleted. Pure; used by one thread at a time.
 */
final class MessageStage {
  private final int count;
  private final MessageLease lease;
  private final List<BundleEffect> effects = new ArrayList<>();
  private MessagePhase phase = MessagePhase.TABLE.start();

  /** The first position for which no claim was requested. */
  private int next;

  private boolean left;

  /** The time at which the message becomes visible again if tasks are left; monotonic clock. */
  private long backAt = Long.MAX_VALUE;

  /**
   * A message that was just received.
   *
   * @param count the number of its tasks
   */
  MessageStage(int count, MessageLease lease) {
    this.count = count;
    this.lease = lease;
  }

  boolean is(MessagePhase asked) {
    return phase == asked;
  }

  /** The number of tasks for which no claim was requested. */
  int held() {
    return count - next;
  }

  /** Adds an effect of one of its tasks. */
  void add(BundleEffect effect) {
    effects.add(effect);
  }

  /** Takes the pending effects. */
  List<BundleEffect> take() {
    List<BundleEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  /** Begins the next task, which must exist; returns its position. */
  int begin() {
    if (phase == MessagePhase.HELD) {
      move(Trigger.BEGIN);
    }
    return next++;
  }

  /** Begins no further task: those that did not begin are not needed. */
  void skipHeld() {
    next = count;
  }

  /** Begins no further task, and leaves those that did not begin to the next receiver. */
  void leaveHeld(long millis, Moment now) {
    if (held() > 0) {
      skipHeld();
      leave(millis, now);
    }
  }

  /** Leaves a task to the next receiver, which may have it after that many milliseconds. */
  void leave(long millis, Moment now) {
    left = true;
    backAt = Math.min(backAt, now.mono() + millis);
  }

  /** Extends the time for which the message is hidden, if that is due. */
  void tick(Moment now) {
    if (isOpen()) {
      lease.extend(now, effects);
    }
  }

  /** Closes the message, because another worker may already have it. */
  void lost() {
    skipHeld();
    move(Trigger.LOST);
    effects.add(new BundleEffect.Close(Reason.LOST));
  }

  /** Puts the message back or deletes it, because none of the tasks that began is left here. */
  void settle(Moment now) {
    if (!isOpen() || held() > 0) {
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

  /** Records that the message is deleted. */
  void deleted() {
    if (phase == MessagePhase.DELETING) {
      move(Trigger.DELETED);
      effects.add(new BundleEffect.Close(Reason.COMPLETE));
    }
  }

  private boolean isOpen() {
    return phase == MessagePhase.HELD || phase == MessagePhase.BEGUN;
  }

  private void move(Trigger trigger) {
    phase = MessagePhase.TABLE.next(phase, trigger);
  }
}
