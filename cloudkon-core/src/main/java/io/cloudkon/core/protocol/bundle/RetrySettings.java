package io.cloudkon.core.protocol.bundle;

/**
 * The back-off before a task is tried again, which doubles with each try. All values are in
 * milliseconds.
 *
 * @param first the back-off before the second try; default 500
 * @param most the maximum back-off; default 60,000
 */
public record RetrySettings(long first, long most) {
  /** 500 ms, at most a minute. */
  public static final RetrySettings DEFAULT = new RetrySettings(500, 60_000);

  private static final int MAX_DOUBLINGS = 20;

  /** The back-off after that many tries. */
  long after(int tries) {
    return Math.min(most, first << Math.min(MAX_DOUBLINGS, tries - 1));
  }
}
