package io.cloudkon.core.protocol.bundle;

/**
 * The back-off before a task is tried again, doubling with each try. All in milliseconds.
 *
 * @param first before the second try; default 500
 * @param most at most; default 60,000
 */
public record RetrySettings(long first, long most) {
  /** 500 ms, at most a minute. */
  public static final RetrySettings DEFAULT = new RetrySettings(500, 60_000);

  private static final int MAX_DOUBLINGS = 20;

  /** The wait after so many tries. */
  long after(int tries) {
    return Math.min(most, first << Math.min(MAX_DOUBLINGS, tries - 1));
  }
}
