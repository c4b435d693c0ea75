package io.cloudkon.core.port;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.Work;
import java.util.Optional;
import java.util.Set;

/**
 * The rest of a run, as its client knows it; a provisioner sizes the fleet by it. Immutable.
 *
 * @param bundles bundles of tasks that were sent and lack results; HPC jobs, which go to a queue of
 *     their own, are not among them
 * @param taskMicros how long a task keeps a slot on average, in microseconds, an HPC job each of
 *     its slots; 0 while nobody knows
 * @param jobs HPC jobs without a result, those that are not sent yet among them
 * @param widestJob ranks of the widest of these jobs; 0 if there is none
 * @param kinds what its tasks and jobs do; empty while nobody knows
 * @param priority of its client, where that keeps only a part of it in the queue, as in a fair
 *     cluster; empty where everything is sent at once
 * @param counted whether the run's counts hold; not while a client that has resumed the run still
 *     collects the results that waited for it
 */
public record RemainingWork(
    long bundles,
    double taskMicros,
    long jobs,
    int widestJob,
    Set<Work.Kind> kinds,
    Optional<Priority> priority,
    boolean counted) {
  /** Nothing is known yet. */
  public static final RemainingWork UNKNOWN = new RemainingWork(0, 0, 0, 0, Set.of());

  public RemainingWork {
    kinds = Set.copyOf(kinds);
  }

  /** Of a client that sends everything at once. */
  public RemainingWork(
      long bundles, double taskMicros, long jobs, int widestJob, Set<Work.Kind> kinds) {
    this(bundles, taskMicros, jobs, widestJob, kinds, Optional.empty());
  }

  /** Of a run whose counts hold. */
  public RemainingWork(
      long bundles,
      double taskMicros,
      long jobs,
      int widestJob,
      Set<Work.Kind> kinds,
      Optional<Priority> priority) {
    this(bundles, taskMicros, jobs, widestJob, kinds, priority, true);
  }

  /** The same, of a client with that priority. */
  public RemainingWork with(Optional<Priority> other) {
    return new RemainingWork(bundles, taskMicros, jobs, widestJob, kinds, other, counted);
  }

  /** The same, of a run whose counts hold or do not. */
  public RemainingWork counted(boolean holds) {
    return new RemainingWork(bundles, taskMicros, jobs, widestJob, kinds, priority, holds);
  }
}
