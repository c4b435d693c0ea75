package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundlePhase.Trigger;
import java.util.ArrayList;
import java.util.List;

/** The current phase of a bundle in a worker, with the pending effects. */
final class BundleStage {
  private BundlePhase phase = BundlePhase.TABLE.start();
  private final List<BundleEffect> effects = new ArrayList<>();

  BundlePhase phase() {
    return phase;
  }

  boolean is(BundlePhase asked) {
    return phase == asked;
  }

  /** The pending effects since the last {@link #take}, to which others add. */
  List<BundleEffect> effects() {
    return effects;
  }

  /** Takes the pending effects. */
  List<BundleEffect> take() {
    List<BundleEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  void move(Trigger trigger) {
    phase = BundlePhase.TABLE.next(phase, trigger);
  }

  /** Drains a running bundle: no more tasks start, and running ones may finish. */
  void drain() {
    if (phase == BundlePhase.RUNNING) {
      move(Trigger.DRAIN);
    }
  }

  /** Makes its message visible to others after that many milliseconds. */
  void putBack(Trigger why, long millis) {
    move(why);
    effects.add(new BundleEffect.PutBack(millis));
    effects.add(new BundleEffect.Close(Reason.GIVEN_BACK));
  }

  /** Gives it back after that many milliseconds, if nothing was requested yet. */
  void giveBack(long millis) {
    if (phase == BundlePhase.HELD) {
      putBack(Trigger.PUT_BACK, millis);
    }
  }

  /** Closes it, because another worker may already have it. */
  void lost() {
    move(Trigger.LOST);
    effects.add(new BundleEffect.Kill());
    effects.add(new BundleEffect.Close(Reason.LOST));
  }

  /** Deletes its message, because nothing is left to do. */
  void delete(Trigger why) {
    move(why);
    effects.add(new BundleEffect.DeleteMessage());
  }

  /** Records that its message is deleted. */
  void deleted() {
    if (phase == BundlePhase.DELETING) {
      move(Trigger.DELETED);
      effects.add(new BundleEffect.Close(Reason.COMPLETE));
    }
  }
}
