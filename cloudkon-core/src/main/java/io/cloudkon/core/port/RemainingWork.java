package io.cloudkon.core.port;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.Work;
import java.util.Optional;
import java.util.Set;

/**
 * The remaining work of a run as its client knows it; a provisioner determines the fleet's size
 * from it. Immutable.
 *
 * @param bundles the number of bundles that were sent and lack results, without HPC jobs, which
 *     have a separate queue
 * @param times the average slot times of its tasks and of its HPC jobs
 * @param jobs the number of HPC jobs without a result, including those that were not sent yet
 * @param widestJob the number of ranks of the widest of these jobs; 0 if there are none
 * @param kinds the kinds of work of its tasks and jobs; empty while they are unknown
 * @param priority the priority of its client if the client keeps only a part of the work in the
 *     queue, as in a fair cluster; empty if everything is sent at once
 * @param counted whether the run's counts are valid; they are not while a client that has resumed
 *     the run still collects the results that waited for it
 */
public record RemainingWork(
    long bundles,
    SlotTimes times,
    long jobs,
    int widestJob,
    Set<Work.Kind> kinds,
    Optional<Priority> priority,
    boolean counted) {
  /** The remaining work before anything is known. */
  public static final RemainingWork UNKNOWN = new RemainingWork(0, 0, 0, 0, Set.of());

  public RemainingWork {
    kinds = Set.copyOf(kinds);
  }

  /** The remaining work of a client that sends everything at once. */
  public RemainingWork(
      long bundles, SlotTimes times, long jobs, int widestJob, Set<Work.Kind> kinds) {
    this(bundles, times, jobs, widestJob, kinds, Optional.empty(), true);
  }

  /** The same if it is not known how long an HPC job takes. */
  public RemainingWork(
      long bundles, double taskMicros, long jobs, int widestJob, Set<Work.Kind> kinds) {
    this(bundles, new SlotTimes(taskMicros, 0), jobs, widestJob, kinds);
  }

  /** The remaining work of a run whose counts are valid. */
  public RemainingWork(
      long bundles,
      double taskMicros,
      long jobs,
      int widestJob,
      Set<Work.Kind> kinds,
      Optional<Priority> priority) {
    this(bundles, new SlotTimes(taskMicros, 0), jobs, widestJob, kinds, priority, true);
  }

  /**
   * The total slot time of so many of its unfinished tasks and jobs, in microseconds; 0 if it is
   * unknown for some of them.
   */
  public double slotMicros(long unfinished) {
    return slotMicros(unfinished, jobs);
  }

  /** The same if no more than {@code mostJobs} of them are jobs. */
  public double slotMicros(long unfinished, long mostJobs) {
    long itsJobs = Math.min(mostJobs, unfinished);
    long tasks = unfinished - itsJobs;
    boolean known =
        (tasks == 0 || times.taskMicros() > 0) && (itsJobs == 0 || times.jobMicros() > 0);
    return known ? tasks * times.taskMicros() + itsJobs * times.jobMicros() : 0;
  }

  /** The same work, of a client with that priority. */
  public RemainingWork with(Optional<Priority> other) {
    return new RemainingWork(bundles, times, jobs, widestJob, kinds, other, counted);
  }

  /** The same work, of a run whose counts are valid or not. */
  public RemainingWork counted(boolean holds) {
    return new RemainingWork(bundles, times, jobs, widestJob, kinds, priority, holds);
  }
}
