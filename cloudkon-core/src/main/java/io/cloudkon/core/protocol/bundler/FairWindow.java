package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.model.Priority;
import io.cloudkon.core.time.Moment;

/**
 * Limits how much work of one client waits in the queue of a fair cluster: at most what the whole
 * fleet does in 2 s, four times that with high priority, a quarter with low. Whoever comes next
 * then waits for seconds, however much the clients before it have left to send; and clients that
 * have work at the same time share the fleet by their priorities, since the queue mixes what they
 * keep in it.
 *
 * <p>What was sent and has no result either waits or runs; how much of it runs is estimated by
 * {@link RunningSlots}. Pure; used by one thread at a time.
 */
public final class FairWindow {
  /** How much of the fleet's work a client of normal priority keeps in the queue. */
  static final long SHARE_MILLIS = 2_000;

  /** A bundle holds at most this part of one slot's share. */
  static final int BUNDLES_PER_SHARE = 4;

  /**
   * The minimum time that a task takes, in microseconds, by what it costs to carry one: a worker
   * with four slots runs some 200,000 tasks a second that do nothing.
   */
  static final double LEAST_TASK_MICROS = 20;

  /** The minimum time that a bundle takes, in microseconds, by the calls that it costs. */
  static final double LEAST_BUNDLE_MICROS = 4_000;

  /** The part of the old values that is kept with each message of results. */
  private static final double REMEMBERED = 0.98;

  private final double shareMicros;
  private final OpenWork open = new OpenWork();

  /** Slot time and number of the tasks that finished, the older the less. */
  private double finishedMicros;

  private double finishedTasks;
  private final RunningSlots running = new RunningSlots();
  private int listedSlots;

  /** The window of a client of which nothing was sent. */
  public FairWindow(Priority priority) {
    this.shareMicros = SHARE_MILLIS * 1000.0 * priority.weight();
  }

  /**
   * Plans where the next bundle ends; {@link BundlePlan#WAIT} while enough is in the queue. One
   * bundle may always wait there, so that no slot stays empty where a task takes longer than the
   * share.
   *
   * @param plan as large as it would be without a limit
   * @param heardSlots slots of the workers that answered lately
   */
  public BundlePlan fit(BundlePlan plan, int heardSlots, Moment now) {
    if (plan.waits()) {
      return plan;
    }
    int slots = slots(heardSlots);
    double mean = meanMicros();
    if (Double.isNaN(mean)) {
      return atMost(plan, slots - open.unknownTasks());
    }
    double most = shareMicros / BUNDLES_PER_SHARE;
    double queued = queuedMicros(slots, mean, now);
    // Room for a whole bundle: else each task that ends would be followed by a bundle of one.
    boolean room = queued <= 0 || queued + Math.min(plan.micros(), most) <= slots * shareMicros;
    if (!room) {
      return BundlePlan.WAIT;
    }
    boolean known = plan.micros() < Double.POSITIVE_INFINITY;
    return atMost(plan, known ? Integer.MAX_VALUE : Math.max(1, (long) (most / mean)));
  }

  private BundlePlan atMost(BundlePlan plan, long tasks) {
    return tasks <= 0
        ? BundlePlan.WAIT
        : new BundlePlan(
            (int) Math.min(plan.tasks(), tasks),
            plan.bytes(),
            Math.min(plan.micros(), shareMicros / BUNDLES_PER_SHARE));
  }

  private int slots(int heard) {
    return Math.max(1, Math.max(heard, listedSlots));
  }

  /** How long a task takes on average, in microseconds; NaN while nothing is known. */
  private double meanMicros() {
    if (finishedTasks > 0) {
      return Math.max(LEAST_TASK_MICROS, finishedMicros / finishedTasks);
    }
    long known = open.tasks() - open.unknownTasks();
    return known > 0 ? open.knownMicros() / known : Double.NaN;
  }

  private double queuedMicros(int slots, double mean, Moment now) {
    if (open.tasks() == 0) {
      return 0;
    }
    double outstanding = open.micros(mean);
    double each = Math.max(mean, outstanding / open.tasks());
    return outstanding * (1 - Math.min(1, running.of(slots, each, now) / open.tasks()));
  }

  /**
   * A bundle was made.
   *
   * @param tasks how many slots it can fill at a time: its tasks, or an HPC job's ranks
   * @param micros how much work it holds; NaN if unknown
   */
  public void sent(int sequence, int tasks, double micros) {
    double least = Math.max(LEAST_BUNDLE_MICROS, LEAST_TASK_MICROS * tasks);
    open.sent(sequence, tasks, Math.max(least, micros));
  }

  /** So many tasks of a bundle wait and run no more; all of it where it has no more. */
  public void ended(int sequence, int tasks) {
    open.ended(sequence, tasks);
  }

  /**
   * Tasks finished.
   *
   * @param tasks how many; an HPC job counts as its ranks
   * @param micros how long they kept slots, together
   */
  public void finished(int tasks, long micros, Moment now) {
    if (tasks <= 0) {
      return;
    }
    double took = Math.max(0, micros);
    finishedMicros = finishedMicros * REMEMBERED + took;
    finishedTasks = finishedTasks * REMEMBERED + tasks;
    running.finished(took, finishedMicros / finishedTasks, now);
  }

  /**
   * The workers that may run this client's work, as they are listed.
   *
   * @param slots of all of them; 0 if unknown
   * @param free slots of them that run nothing
   */
  public void fleet(int slots, int free) {
    listedSlots = slots;
    running.fleet(slots, free);
  }
}
