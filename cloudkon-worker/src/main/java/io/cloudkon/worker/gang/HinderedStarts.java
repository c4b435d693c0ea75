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
 * The jobs whose ranks this worker could not start through a fault of its own. Such a failure does
 * not count as an attempt, so each job counts the workers that had one; and this worker takes no
 * more ranks of the job for a while. Thread safe.
 */
final class HinderedStarts {
  private static final Logger LOG = LoggerFactory.getLogger(HinderedStarts.class);

  private final ToIntFunction<String> notes;
  private final LongSupplier nanos;

  /**
   * The time until which this worker takes no ranks of a job, by its bundle id; monotonic
   * nanoseconds.
   */
  private final Map<String, Long> avoided = new ConcurrentHashMap<>();

  /**
   * Starts without any such job.
   *
   * @param notes records this worker at a job's claim and returns the number of workers recorded
   *     there; may block
   * @param nanos a monotonic clock
   */
  HinderedStarts(ToIntFunction<String> notes, LongSupplier nanos) {
    this.notes = notes;
    this.nanos = nanos;
  }

  /**
   * Records that a rank of this job did not start; blocks until that is done.
   *
   * @return why no worker is to try again; empty if another worker is to try
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
            "%d workers could not start it; the last one reported: %s"
                .formatted(workers, found.reason()));
  }

  private int noted(String job) {
    try {
      return notes.applyAsInt(job);
    } catch (RuntimeException | Error e) {
      // Catches everything: this worker is counted the next time.
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
