package io.cloudkon.worker.gang;

import io.cloudkon.core.model.Limits;
import io.cloudkon.worker.health.StartHindrance;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs of which this worker could not start ranks through a fault of its own. No attempt counts for
 * them, so the workers are counted of which that is so; and this one takes no more of their ranks
 * for a while. Thread safe.
 */
final class HinderedStarts {
  private static final Logger LOG = LoggerFactory.getLogger(HinderedStarts.class);

  private final ToIntFunction<String> notes;
  private final LongSupplier nanos;

  /** Until when this worker takes no ranks of a job, by its bundle id; monotonic nanoseconds. */
  private final Map<String, Long> avoided = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param notes notes this worker at a job's claim, and says how many workers are; may block
   * @param nanos a monotonic clock
   */
  HinderedStarts(ToIntFunction<String> notes, LongSupplier nanos) {
    this.notes = notes;
    this.nanos = nanos;
  }

  /**
   * A rank of this job did not start; blocks until that is noted.
   *
   * @return why nobody is to try again; empty if another worker is
   */
  Optional<String> note(String job, StartHindrance found) {
    long now = nanos.getAsLong();
    avoided.values().removeIf(until -> until - now <= 0);
    if (found.hiddenMillis() > 0) {
      avoided.put(job, now + TimeUnit.MILLISECONDS.toNanos(found.hiddenMillis()));
    }
    int workers = noted(job);
    return workers < Limits.SICK_WORKERS
        ? Optional.empty()
        : Optional.of(
            "%d workers could not start it; the last one said: %s"
                .formatted(workers, found.reason()));
  }

  private int noted(String job) {
    try {
      return notes.applyAsInt(job);
    } catch (RuntimeException | Error e) {
      // Whatever it was: this worker is counted the next time.
      LOG.debug("could not note that a rank of job {} did not start: {}", job, e.toString());
      return 0;
    }
  }

  /** Whether this worker takes no ranks of the job now. */
  boolean avoids(String job) {
    Long until = avoided.get(job);
    return until != null && until - nanos.getAsLong() > 0;
  }
}
