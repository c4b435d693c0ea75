package io.cloudkon.core.protocol.bundle;

/**
 * When a bundle counts as dangerous, and when as hopeless. Attempts are counted as claim attempts
 * minus releases: receives, drains and put-backs are no attempts.
 *
 * @param max after so many attempts nobody tries again; default 5
 * @param oneByOneFrom from this attempt on, the bundle's tasks run one by one; default 3
 * @param maxReceives at-least-once, which has no claims: after so many receives nobody tries again;
 *     default 100
 */
public record AttemptSettings(int max, int oneByOneFrom, int maxReceives) {
  /** 5 attempts, one by one from the third, 100 receives. */
  public static final AttemptSettings DEFAULT = new AttemptSettings(5, 3, 100);

  public AttemptSettings {
    if (max < 1 || oneByOneFrom < 1 || maxReceives < 1) {
      throw new IllegalArgumentException("attempts are counted from 1");
    }
  }

  /** The defaults with another maximum. */
  public static AttemptSettings ofMax(int max) {
    return new AttemptSettings(max, DEFAULT.oneByOneFrom(), DEFAULT.maxReceives());
  }
}
