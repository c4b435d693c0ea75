package io.cloudkon.core.protocol.claim;

import io.cloudkon.core.protocol.claim.ClaimPhase.Trigger;
import java.util.ArrayList;
import java.util.List;

/** The current phase of a claim for one worker, with the pending effects. */
final class ClaimStage {
  private ClaimPhase phase = ClaimPhase.TABLE.start();
  private final List<ClaimEffect> effects = new ArrayList<>();

  ClaimPhase phase() {
    return phase;
  }

  boolean is(ClaimPhase asked) {
    return phase == asked;
  }

  void move(Trigger trigger) {
    phase = ClaimPhase.TABLE.next(phase, trigger);
  }

  /** Moves, and adds the effect that reports it. */
  void move(Trigger trigger, ClaimEffect effect) {
    move(trigger);
    add(effect);
  }

  void add(ClaimEffect effect) {
    effects.add(effect);
  }

  /** Takes the pending effects. */
  List<ClaimEffect> take() {
    List<ClaimEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }
}
