package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.Timeline;
import java.util.SplittableRandom;

/** Draws the faults. */
final class Faults {
  private final FaultSettings settings;
  private final Timeline timeline;
  private final SplittableRandom random;
  private final boolean any;

  Faults(FaultSettings settings, Timeline timeline, SplittableRandom random) {
    this.settings = settings;
    this.timeline = timeline;
    this.random = random;
    this.any = settings.untilMicros() > 0;
  }

  private boolean calm() {
    return !any || timeline.now() >= settings.untilMicros();
  }

  Fate fate(Call call) {
    if (calm()) {
      return Fate.CARRIED_OUT;
    }
    if (isOut(call)) {
      return Fate.THROTTLED;
    }
    FaultSettings.Odds odds = settings.fates().get(call);
    return odds == null ? Fate.CARRIED_OUT : draw(odds, random.nextDouble());
  }

  /** Whether calls of this kind fail now. */
  boolean isOut(Call call) {
    return !calm()
        && settings.outages().stream().anyMatch(outage -> outage.hits(call, timeline.now()));
  }

  private static Fate draw(FaultSettings.Odds odds, double drawn) {
    double left = drawn - odds.throttled();
    if (left < 0) {
      return Fate.THROTTLED;
    }
    left -= odds.answerLost();
    if (left < 0) {
      return Fate.ANSWER_LOST;
    }
    left -= odds.copied();
    if (left < 0) {
      return Fate.COPIED;
    }
    left -= odds.late();
    return left < 0 ? Fate.EFFECT_LATE : Fate.CARRIED_OUT;
  }

  boolean duplicated() {
    return !calm() && random.nextDouble() < settings.duplicated();
  }

  boolean limbo() {
    return !calm() && random.nextDouble() < settings.limbo();
  }

  boolean refusesEntry() {
    return !calm() && random.nextDouble() < settings.partial();
  }

  /** A random delay of a late effect, in microseconds. */
  long lateness() {
    return 1 + random.nextLong(Math.max(1, settings.lateMicros()));
  }
}
