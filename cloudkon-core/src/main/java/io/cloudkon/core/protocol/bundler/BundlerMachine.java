package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlerPhase.Trigger;
import io.cloudkon.core.protocol.durations.LearnedDurations;
import io.cloudkon.core.time.Moment;
import java.util.Map;

/**
 * Decides how large the next bundle is. Begins with small ones, learns from the results how long
 * tasks take and how many slots there are, and sends little ahead until it knows. Aims at a fixed
 * time of work for each slot of a worker, as they share a bundle; at more where it costs much to
 * carry one, or where the client could not send as much work as the slots can do. Shrinks toward
 * the end so that the last bundles finish together (guided self-scheduling: Polychronopoulos and
 * Kuck, IEEE Transactions on Computers C-36, 1987). Pure; used by one thread at a time.
 */
public final class BundlerMachine {
  /** Tasks that are sent before the first result. */
  static final int PROBES = 64;

  /** The largest bundle before the first result. */
  static final int PROBE_TASKS = 16;

  /** By how much each bundle before the first result is larger than the last. */
  static final int PROBE_GROWTH = 4;

  /** How long sending waits for the first result, in milliseconds. */
  static final long PROBE_MILLIS = 2_000;

  /**
   * Tasks that are sent while nobody answers at all, where sending may wait and nobody says that
   * workers are on their way.
   */
  static final int BLIND_TASKS = 10_000;

  /** Results of a sort of tasks from which on its duration is believed, if that is a target's. */
  static final long WARM_RESULTS = 64;

  /** The same for shorter ones: what else a busy machine does weighs more there. */
  static final long WARM_RESULTS_OF_SHORT = 512;

  /** How much of the fleet's work is sent ahead before that, in milliseconds. */
  static final long AHEAD_MILLIS = 2_000;

  /**
   * Toward the end a bundle holds no less than this part of what it would hold before: about what
   * it costs to carry one.
   */
  static final double LEAST_PART = 1 / BundleTarget.TIMES_CARRYING;

  /** A client sends this much more work than all slots do in the same time. */
  static final double AHEAD_OF_FLEET = 1.25;

  private final BundlerSettings settings;
  private final LearnedDurations durations = new LearnedDurations();
  private final SendRate sendRate = new SendRate();
  private final BundleTarget target;

  /**
   * The open work, which bounds the work that is sent ahead. Long tasks do not count and are sent
   * whatever is open: for as long as they run, short ones would wait beside idle slots.
   */
  private final OpenWork open = new OpenWork(1000.0 * AHEAD_MILLIS);

  private final AnsweringWorkers workers = new AnsweringWorkers();
  private final Silence silence = new Silence();
  private BundlerPhase phase = BundlerPhase.TABLE.start();
  private int sentTasks;
  private int probeSize = 1;

  public BundlerMachine(BundlerSettings settings) {
    this.settings = settings;
    this.target = new BundleTarget(settings.targetMillis() * 1000.0);
    if (settings.fixedTasks() > 0) {
      move(Trigger.FIX);
    }
  }

  /**
   * Bundles hold their target once, however many slots share them and whatever they cost: in a fair
   * cluster, where whoever comes next waits for bundles that were sent before.
   */
  public void keepSmall() {
    target.keepSmall();
  }

  /**
   * Bundles hold single tasks while nobody answers, whether or not a worker could: none that takes
   * several long tasks can hand on the rest.
   */
  public void keepSingle() {
    silence.handNothingOn();
  }

  public BundlerPhase phase() {
    return phase;
  }

  /** How long the task is likely to take, in microseconds; NaN if unknown. */
  public double micros(Work work) {
    return durations.micros(work);
  }

  /**
   * Plans where the next bundle ends.
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
    AnsweringWorkers.Slots slots = workers.slots(now);
    if (enoughAhead(next, micros, slots.all(), now)) {
      sendRate.heldBack();
      return BundlePlan.WAIT;
    }
    double target = this.target.micros(slots, remaining * micros);
    double keepingUp = remaining == Long.MAX_VALUE ? 0 : keepingUp(slots.all());
    // Nobody else could finish together with a worker that is alone.
    double parts = slots.alone() ? 1 : 2.0 * slots.answered() / slots.fewest();
    double fair = Math.ceil(remaining / parts);
    // Where sends are what slots wait for, smaller bundles balance nothing.
    double least = keepingUp > target ? keepingUp : LEAST_PART * target;
    double tasks = Math.max(fair, Math.ceil(least / Math.max(0.1, micros)));
    return new BundlePlan(
        (int) Math.clamp(tasks, 1, Limits.TASKS_PER_BUNDLE),
        settings.maxBytes(),
        Math.max(target, keepingUp));
  }

  /**
   * Whether more is to be sent only once workers have answered, or are listed: a first estimate may
   * be ten times too high, and so may be the number of bundles that it makes. Each 2 s without an
   * answer let as much more go.
   */
  private boolean enoughAhead(Work next, double micros, int slots, Moment now) {
    // What takes as long as that is long whatever was loaded meanwhile.
    boolean clearlyLong = micros >= 1000.0 * AHEAD_MILLIS;
    if (!settings.mayWait() || !silence.sentAny() || clearlyLong) {
      return false;
    }
    // However few slots share it, a task as long as that is a bundle of its own.
    boolean fillsBundle = micros >= settings.targetMillis() * 1000.0;
    long since;
    if (workers.any()) {
      long enough = fillsBundle ? WARM_RESULTS : WARM_RESULTS_OF_SHORT;
      if (durations.results(next) >= enough || open.tasks() < PROBES) {
        return false;
      }
      since = workers.lastAnswer();
    } else {
      if (fillsBundle || silence.lasts(now)) {
        return false;
      }
      since = now.mono();
    }
    long periods = 1 + (now.mono() - since) / AHEAD_MILLIS;
    // Besides what runs.
    return open.micros(micros) >= (1000.0 * AHEAD_MILLIS + micros) * slots * periods;
  }

  /**
   * How much work a bundle must hold so that those that the client can send keep all slots busy, in
   * microseconds; 0 if that is unknown.
   */
  private double keepingUp(int slots) {
    double rate = sendRate.perSecond();
    return Double.isNaN(rate)
        ? 0
        : Math.min(BundleTarget.MOST_MICROS, AHEAD_OF_FLEET * slots * 1e6 / rate);
  }

  /** Something other than its own calls holds the client back. */
  public void heldBack() {
    sendRate.heldBack();
  }

  private BundlePlan planUnknown(Moment now) {
    if (phase == BundlerPhase.PROBING && silence.lasts(now)) {
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
    return silence.mayHaveAnswered(now) && sentTasks < BLIND_TASKS
        ? silence.bundleTasks(workers.slots(now).all())
        : 0;
  }

  /**
   * Says whether silence is no wonder: no worker lives, and somebody launches some. What was sent
   * is enough for them to begin with; more messages would only be a burden. False until this is
   * called.
   */
  public void noWorkerYet(boolean none, Moment now) {
    silence.noWorkerYet(none, now);
  }

  /**
   * A bundle was made.
   *
   * @param micros how much work it holds; NaN if unknown
   */
  public void made(int sequence, int tasks, double micros, Moment now) {
    open.sent(sequence, tasks, micros);
    sentTasks += tasks;
    sendRate.made(now);
    silence.sent(tasks == 1 && Double.isNaN(micros), now);
    probeSize = Math.min(PROBE_TASKS, probeSize * PROBE_GROWTH);
  }

  /** So many tasks of a bundle ended, whatever came of them; all of it where it has no more. */
  public void ended(int sequence, int tasks) {
    open.ended(sequence, tasks);
  }

  /** A call of this client that carries bundles or results took so long, in microseconds. */
  public void called(long micros) {
    target.called(micros);
  }

  /** A worker with so many slots answered. */
  public void heard(String worker, int slots, Moment now) {
    move(Trigger.HEARD);
    workers.heard(worker, slots, now);
  }

  /**
   * The workers that live and may run this client's tasks, as they are listed, with their slots:
   * they count as if they had answered. Says nothing of whether they will.
   *
   * @param idle whether any of them has a free slot
   */
  public void listed(Map<String, Integer> slotsByWorker, boolean idle, Moment now) {
    silence.listed(idle);
    slotsByWorker.forEach((worker, slots) -> workers.listed(worker, slots, now));
  }

  /** So many tasks of one sort took so long together. */
  public void learn(String key, int count, long micros) {
    durations.learn(key, count, micros);
  }

  /** Slots of the workers that answered lately; at least 1. */
  public int slots(Moment now) {
    return workers.slots(now).all();
  }

  private void move(Trigger trigger) {
    phase = BundlerPhase.TABLE.next(phase, trigger);
  }
}
