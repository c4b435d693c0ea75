package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.time.Moment;

/**
 * The work that one client may keep in the queues of a fair cluster: one {@link FairWindow} for
 * tasks and one for HPC jobs, which travel in a queue of their own and count by their ranks. Pure;
 * used by one thread at a time.
 */
public final class FairShare {
  private final Priority priority;
  private final FairWindow tasks;
  private final FairWindow jobs;

  /** The share of a client of which nothing was sent. */
  public FairShare(Priority priority) {
    this.priority = priority;
    this.tasks = new FairWindow(priority);
    this.jobs = new FairWindow(priority);
  }

  public Priority priority() {
    return priority;
  }

  /**
   * Plans where the next bundle ends; {@link BundlePlan#WAIT} while the client has its share.
   *
   * @param plan as large as it would be without a limit
   * @param job whether it is an HPC job
   * @param heardSlots slots of the workers that answered lately
   */
  public BundlePlan fit(BundlePlan plan, boolean job, int heardSlots, Moment now) {
    return (job ? jobs : tasks).fit(plan, heardSlots, now);
  }

  /** A bundle of tasks was made, with so much work in microseconds; NaN if that is unknown. */
  public void sent(int sequence, int count, double micros) {
    tasks.sent(sequence, count, micros);
  }

  /** An HPC job was made, whose ranks together take so long in microseconds; NaN if unknown. */
  public void sentJob(int sequence, int ranks, double micros) {
    jobs.sent(sequence, ranks, micros);
  }

  /**
   * Tasks of a bundle ended, whatever came of them: they wait and run no more. A job has one
   * result.
   */
  public void ended(int sequence, int results) {
    tasks.ended(sequence, results);
    jobs.ended(sequence, results > 0 ? Integer.MAX_VALUE : 0);
  }

  /** All results of a bundle are here. */
  public void closed(int sequence) {
    ended(sequence, Integer.MAX_VALUE);
  }

  /** So many tasks ran, together for so long in microseconds. */
  public void finished(int count, long micros, Moment now) {
    tasks.finished(count, micros, now);
  }

  /** So many ranks of HPC jobs ran, together for so long in microseconds. */
  public void finishedRanks(int ranks, long micros, Moment now) {
    jobs.finished(ranks, micros, now);
  }

  /**
   * The workers that may run this client's tasks, and its jobs, as they are listed.
   *
   * @param taskSlots of all that run tasks; 0 if unknown
   * @param freeTaskSlots those of them that run nothing
   * @param jobSlots of all that take part in jobs; 0 if unknown
   * @param freeJobSlots those of them that run nothing
   */
  public void fleet(int taskSlots, int freeTaskSlots, int jobSlots, int freeJobSlots) {
    tasks.fleet(taskSlots, freeTaskSlots);
    jobs.fleet(jobSlots, freeJobSlots);
  }
}
