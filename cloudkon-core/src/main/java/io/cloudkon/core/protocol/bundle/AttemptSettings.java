package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.protocol.claim.Claim;

/**
 * The numbers of attempts after which a bundle counts as dangerous, and as hopeless. Receives,
 * drains and put-backs are no attempts, and those that an owner took back, as it lost its lease and
 * lived, count toward {@link #maxInAll} only.
 *
 * @param max after so many attempts in which its worker died nobody tries again; default 5
 * @param oneByOneFrom from this attempt on, the bundle's tasks run one by one; default 3
 * @param maxReceives at-least-once, which has no claims: after so many receives nobody tries again;
 *     default 100
 * @param maxInAll after so many attempts nobody tries again, whether its workers died or lived;
 *     default 20, and at least {@code max}
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

  /** The defaults with another maximum. */
  public static AttemptSettings ofMax(int max) {
    return new AttemptSettings(
        max, DEFAULT.oneByOneFrom(), DEFAULT.maxReceives(), Math.max(max, DEFAULT.maxInAll()));
  }

  /** Whether the attempt that this claim is at is one too many. */
  public boolean exceededBy(Claim claim) {
    return claim.countedAttempts() > max || claim.attemptsInAll() > maxInAll;
  }

  /**
   * Whether the attempt that this claim is at runs one task at a time: as many attempts before the
   * limit of deaths as before the limit of all.
   */
  public boolean oneByOne(Claim claim) {
    return claim.countedAttempts() >= oneByOneFrom
        || claim.attemptsInAll() >= maxInAll - (max - oneByOneFrom);
  }
}
