package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.protocol.bundle.BundleEffect.Reason;
import io.cloudkon.core.protocol.bundle.BundlePhase.Trigger;
import java.util.ArrayList;
import java.util.List;

/** A step in a bundle's way through a worker, with the effects that belong to it. */
final class BundleStage {
  private BundlePhase phase = BundlePhase.TABLE.start();
  private final List<BundleEffect> effects = new ArrayList<>();

  BundlePhase phase() {
    return phase;
  }

  boolean is(BundlePhase asked) {
    return phase == asked;
  }

  /** What is wanted since it was taken last; for others to add to. */
  List<BundleEffect> effects() {
    return effects;
  }

  /** Takes what is wanted. */
  List<BundleEffect> take() {
    List<BundleEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  void move(Trigger trigger) {
    phase = BundlePhase.TABLE.next(phase, trigger);
  }

  /** If it runs, nothing more starts, and what runs may finish. */
  void drain() {
    if (phase == BundlePhase.RUNNING) {
      move(Trigger.DRAIN);
    }
  }

  /** Others may have it, after so many milliseconds. */
  void putBack(Trigger why, long millis) {
    move(why);
    effects.add(new BundleEffect.PutBack(millis));
    effects.add(new BundleEffect.Close(Reason.GIVEN_BACK));
  }

  /** If nothing was asked for yet, others may have it, after so many milliseconds. */
  void giveBack(long millis) {
    if (phase == BundlePhase.HELD) {
      putBack(Trigger.PUT_BACK, millis);
    }
  }

  /** Somebody else may have it already. */
  void lost() {
    move(Trigger.LOST);
    effects.add(new BundleEffect.Kill());
    effects.add(new BundleEffect.Close(Reason.LOST));
  }

  /** Nothing of it is left to do. */
  void delete(Trigger why) {
    move(why);
    effects.add(new BundleEffect.DeleteMessage());
  }

  /** Its message is gone. */
  void deleted() {
    if (phase == BundlePhase.DELETING) {
      move(Trigger.DELETED);
      effects.add(new BundleEffect.Close(Reason.COMPLETE));
    }
  }
}
