package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.Timeline;
import java.util.SplittableRandom;

/** Draws the faults. */
final class Faults {
  /** The bounds of the SDK's back-off before its second attempt, in microseconds. */
  private static final long RETRY = 20_000;

  private static final long MOST_RETRY = 100_000;

  /** How long the SDK waits for the answer to one attempt, in microseconds. */
  private static final long ANSWER_TIMEOUT = 5_000_000;

  /** One retry in this number follows a connection that was silent. */
  private static final int SELDOM_SILENT = 8;

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
    if (left < 0) {
      return Fate.EFFECT_LATE;
    }
    left -= odds.retried();
    return left < 0 ? Fate.RETRIED : Fate.CARRIED_OUT;
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

  /**
   * The time between the two attempts of one SDK call, in microseconds: a back-off if the
   * connection broke, and now and then the time for which the SDK waits for an answer.
   */
  long retryMicros() {
    return random.nextInt(SELDOM_SILENT) == 0
        ? ANSWER_TIMEOUT
        : RETRY + random.nextLong(MOST_RETRY - RETRY);
  }

  /** A random delay of a late effect, in microseconds. */
  long lateness() {
    return 1 + random.nextLong(Math.max(1, settings.lateMicros()));
  }
}
