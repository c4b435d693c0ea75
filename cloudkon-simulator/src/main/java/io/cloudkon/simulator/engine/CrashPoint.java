package io.cloudkon.simulator.engine;

/**
 * A point at which a process dies or is stopped for a while.
 *
 * @param effect the number of the effect at which it happens, from 1; 0 for never
 * @param after whether that effect still takes place and only its answer is lost
 * @param pauseMillis how long the process is stopped, in milliseconds; 0 if it dies
 */
public record CrashPoint(int effect, boolean after, long pauseMillis) {
  /** The process is never disturbed. */
  public static final CrashPoint NEVER = new CrashPoint(0, false, 0);

  /** The process dies at this effect. */
  public static CrashPoint dies(int effect, boolean after) {
    return new CrashPoint(effect, after, 0);
  }
}
