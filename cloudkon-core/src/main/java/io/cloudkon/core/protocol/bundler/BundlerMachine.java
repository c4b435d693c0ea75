package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlerPhase.Trigger;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import io.cloudkon.core.time.Moment;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides how large the next bundle is. Begins with small ones, learns from the results how long
 * tasks take and how many slots there are, aims at a fixed time of work per bundle (more where the
 * client could not send as much work as the slots can do), and shrinks toward the end so that the
 * last bundles finish together (guided self-scheduling: Polychronopoulos and Kuck, IEEE
 * Transactions on Computers C-36, 1987). Pure; used by one thread at a time.
 */
public final class BundlerMachine {
  /** Tasks that are sent before the first result. */
  static final int PROBES = 64;

  /** The largest bundle before the first result. */
  static final int PROBE_TASKS = 16;

  /** How long sending waits for the first result, in milliseconds. */
  static final long PROBE_MILLIS = 2_000;

  /**
   * Tasks that are sent while nobody answers at all, where sending may wait and nobody says that
   * workers are on their way.
   */
  static final int BLIND_TASKS = 10_000;

  /** A worker that was silent this long counts no more, in milliseconds. */
  static final long WORKER_MILLIS = 30_000;

  /**
   * Toward the end a bundle holds no less than this part of its target: what it costs to carry one.
   */
  static final double LEAST_PART = 0.04;

  /** A client sends this much more work than all slots do in the same time. */
  static final double AHEAD_OF_FLEET = 1.25;

  /**
   * However slow the sends are, a bundle holds no more work than this, in microseconds: the most
   * that a death can undo.
   */
  static final double MOST_MICROS = 10_000_000;

  private final BundlerSettings settings;
  private final LearnedDurations durations = new LearnedDurations();
  private final SendRate sendRate = new SendRate();
  private final Map<String, Worker> workers = new HashMap<>();
  private BundlerPhase phase = BundlerPhase.TABLE.start();
  private int sentTasks;
  private int probeSize = 1;
  private boolean grow;
  private long firstSent = -1;

  /** Whether workers are known to be on their way only, and since when that is over. */
  private boolean noWorkerYet;

  private long workersSince = -1;

  private record Worker(int slots, long heard) {}

  public BundlerMachine(BundlerSettings settings) {
    this.settings = settings;
    if (settings.fixedTasks() > 0) {
      move(Trigger.FIX);
    }
  }

  public BundlerPhase phase() {
    return phase;
  }

  /** How long the task is likely to take, in microseconds; NaN if unknown. */
  public double micros(Work work) {
    return durations.micros(work);
  }

  /**
   * Where the next bundle ends.
   *
   * @param next the task that it begins with
   * @param remaining tasks not yet in any bundle, this one included; {@link Long#MAX_VALUE} if
   *     unknown
   */
  public BundlePlan plan(Work next, long remaining, Moment now) {
    if (phase == BundlerPhase.FIXED) {
      return new BundlePlan(settings.fixedTasks(), settings.maxBytes(), Double.POSITIVE_INFINITY);
    }
    double micros = durations.micros(next);
    if (Double.isNaN(micros)) {
      return planUnknown(now);
    }
    int slots = slots(now);
    double target = settings.targetMillis() * 1000.0;
    double keepingUp = remaining == Long.MAX_VALUE ? 0 : keepingUp(slots);
    double fair = Math.ceil((double) remaining / (2.0 * slots));
    // Where sends are what slots wait for, smaller bundles balance nothing.
    double least = keepingUp > target ? keepingUp : LEAST_PART * target;
    double tasks = Math.max(fair, Math.ceil(least / Math.max(0.1, micros)));
    return new BundlePlan(
        (int) Math.clamp(tasks, 1, Limits.TASKS_PER_BUNDLE),
        settings.maxBytes(),
        Math.max(target, keepingUp));
  }

  /**
   * How much work a bundle must hold so that those that the client can send keep all slots busy, in
   * microseconds; 0 if that is unknown.
   */
  private double keepingUp(int slots) {
    double rate = sendRate.perSecond();
    return Double.isNaN(rate) ? 0 : Math.min(MOST_MICROS, AHEAD_OF_FLEET * slots * 1e6 / rate);
  }

  /** Something other than its own calls holds the client back. */
  public void heldBack() {
    sendRate.heldBack();
  }

  private BundlePlan planUnknown(Moment now) {
    boolean silent =
        firstSent >= 0 && now.mono() - firstSent >= PROBE_MILLIS && mayHaveAnswered(now);
    if (phase == BundlerPhase.PROBING && silent) {
      move(Trigger.SILENCE);
    }
    int tasks =
        switch (phase) {
          case PROBING -> settings.mayWait() && sentTasks >= PROBES ? 0 : probeSize;
          case BLIND -> blindTasks(now);
          // A sort of task that was never seen before, among others that were.
          case ADAPTING -> probeSize;
          case FIXED -> settings.fixedTasks();
        };
    if (tasks == 0) {
      sendRate.heldBack();
      return BundlePlan.WAIT;
    }
    return new BundlePlan(tasks, settings.maxBytes(), Double.POSITIVE_INFINITY);
  }

  private int blindTasks(Moment now) {
    if (!settings.mayWait()) {
      return PROBE_TASKS;
    }
    if (!mayHaveAnswered(now)) {
      return 0;
    }
    // What has not answered for so long takes longer than a bundle's target, or is not there.
    return sentTasks >= BLIND_TASKS ? 0 : 1;
  }

  /**
   * Whether silence says something of the tasks: a worker that has only just come is given as long
   * as one that was there from the start.
   */
  private boolean mayHaveAnswered(Moment now) {
    return !noWorkerYet && (workersSince < 0 || now.mono() - workersSince >= PROBE_MILLIS);
  }

  /**
   * Says whether silence is no wonder: no worker lives, and somebody launches some. What was sent
   * is enough for them to begin with; single tasks in messages of their own would only be a burden.
   * False until this is called.
   */
  public void noWorkerYet(boolean none, Moment now) {
    if (none || noWorkerYet) {
      workersSince = now.mono();
    }
    noWorkerYet = none;
  }

  /** A bundle was made. */
  public void made(int tasks, Moment now) {
    sentTasks += tasks;
    sendRate.made(now);
    if (firstSent < 0) {
      firstSent = now.mono();
    }
    if (grow) {
      probeSize = Math.min(PROBE_TASKS, probeSize * 2);
    }
    grow = !grow;
  }

  /** A worker with so many slots answered. */
  public void heard(String worker, int slots, Moment now) {
    move(Trigger.HEARD);
    workers.put(worker, new Worker(Math.max(1, slots), now.mono()));
  }

  /** So many tasks of one sort took so long together. */
  public void learn(String key, int count, long micros) {
    durations.learn(key, count, micros);
  }

  /** Slots of the workers that answered lately; at least 1. */
  public int slots(Moment now) {
    workers.values().removeIf(worker -> now.mono() - worker.heard() > WORKER_MILLIS);
    return Math.max(1, workers.values().stream().mapToInt(Worker::slots).sum());
  }

  private void move(Trigger trigger) {
    phase = BundlerPhase.TABLE.next(phase, trigger);
  }
}
