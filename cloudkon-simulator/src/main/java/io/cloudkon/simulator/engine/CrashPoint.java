package io.cloudkon.simulator.engine;

/**
 * A point at which a process dies, or is stopped for a while.
 *
 * @param effect at which of its effects, from 1; 0 for never
 * @param after whether that effect still takes place, and only its answer is not seen
 * @param pauseMillis for how long it is stopped, in milliseconds; 0 if it dies
 */
public record CrashPoint(int effect, boolean after, long pauseMillis) {
  /** It lives on. */
  public static final CrashPoint NEVER = new CrashPoint(0, false, 0);

  /** It dies there. */
  public static CrashPoint dies(int effect, boolean after) {
    return new CrashPoint(effect, after, 0);
  }
}
