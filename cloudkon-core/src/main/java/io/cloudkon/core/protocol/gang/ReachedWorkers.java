package io.cloudkon.core.protocol.gang;

import java.util.HashMap;
import java.util.Map;

/**
 * The workers that a manager has called with success a moment ago: they need no call back before
 * they register with its next gang. Pure; not thread safe.
 *
 * @param <W> the type of a worker's name or address
 */
public final class ReachedWorkers<W> {
  /**
   * How long a call proves that a worker can be called, in milliseconds: as long as a gang has to
   * fill by default. A longer time would save few calls, and a network that fails in it costs a job
   * an attempt.
   */
  static final long REMEMBERED_MILLIS = 10_000;

  private final Map<W, Long> reached = new HashMap<>();

  /** Records that a call of this worker, made at that monotonic time, was answered. */
  public void reached(W worker, long monoMillis) {
    reached.values().removeIf(at -> monoMillis - at >= REMEMBERED_MILLIS);
    reached.merge(worker, monoMillis, Math::max);
  }

  /** Records that this worker could not be called. */
  public void forget(W worker) {
    reached.remove(worker);
  }

  /** Whether it was called with success a moment ago. */
  public boolean knows(W worker, long monoMillis) {
    Long at = reached.get(worker);
    return at != null && monoMillis - at < REMEMBERED_MILLIS;
  }
}
