package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.protocol.claim.Claim;

/**
 * The numbers of attempts after which a bundle counts as dangerous, and as hopeless. Receives,
 * drains and put-backs do not count as attempts. Attempts that a live owner took back after losing
 * its lease count only toward {@link #maxInAll}.
 *
 * @param max the maximum number of attempts in which its worker died; default 5
 * @param oneByOneFrom from this attempt on, the bundle's tasks run one by one; default 3
 * @param maxReceives the maximum number of receives in at-least-once, which has no claims; default
 *     100
 * @param maxInAll the maximum number of all attempts, whether its workers died or not; default 20,
 *     and at least {@code max}
 */
public record AttemptSettings(int max, int oneByOneFrom, int maxReceives, int maxInAll) {
  /** 5 attempts, one by one from the third, 100 receives, 20 attempts in all. */
  public static final AttemptSettings DEFAULT = new AttemptSettings(5, 3, 100, 20);

  public AttemptSettings {
    if (max < 1 || oneByOneFrom < 1 || maxReceives < 1) {
      throw new IllegalArgumentException("attempts are counted from 1");
    }
    if (maxInAll < max) {
      throw new IllegalArgumentException(
          "%d attempts in all are fewer than the %d in which a worker may die"
              .formatted(maxInAll, max));
    }
  }

  /**
   * The defaults with another maximum. In the last attempt at the latest, tasks run one by one:
   * otherwise all tasks of a bundle would fail with the one that kills its workers. With a single
   * attempt they do not, because then every bundle would run one by one.
   */
  public static AttemptSettings ofMax(int max) {
    return new AttemptSettings(
        max,
        Math.max(2, Math.min(DEFAULT.oneByOneFrom(), max)),
        DEFAULT.maxReceives(),
        Math.max(max, DEFAULT.maxInAll()));
  }

  /** Whether the claim's current attempt exceeds a maximum. */
  public boolean exceededBy(Claim claim) {
    return claim.countedAttempts() > max || claim.attemptsInAll() > maxInAll;
  }

  /**
   * Whether the claim's current attempt runs one task at a time, which begins equally many attempts
   * before either maximum.
   */
  public boolean oneByOne(Claim claim) {
    return claim.countedAttempts() >= oneByOneFrom
        || claim.attemptsInAll() >= maxInAll - (max - oneByOneFrom);
  }
}
