package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.time.Moment;

/**
 * The meaning of it that no worker has answered yet. Begins when no worker is listed. Pure; used by
 * one thread at a time.
 */
final class Silence {
  /**
   * Single tasks for each listed slot. More of them would be a message and a claim each, although
   * silence is no proof: workers that are still loading classes, or fetch what a run ships, are
   * silent, too. What follows can be handed on.
   */
  static final int SINGLES_FOR_SLOT = 4;

  private long firstSent = -1;
  private int singles;

  /** Whether workers are known to be on their way only, and since when that is over. */
  private boolean noWorkerYet;

  private long workersSince = -1;
  private boolean handsOn = true;

  /** Whether it says that tasks are long: a worker could have begun them at once. */
  private boolean idleWorkers;

  /** Workers cannot hand on a part of a bundle. */
  void handNothingOn() {
    handsOn = false;
  }

  /**
   * A bundle was sent.
   *
   * @param blindly whether it is a single task whose duration nobody knows
   */
  void sent(boolean blindly, Moment now) {
    singles += blindly ? 1 : 0;
    if (firstSent < 0) {
      firstSent = now.mono();
    }
  }

  /** Whether anything was sent. */
  boolean sentAny() {
    return firstSent >= 0;
  }

  /** The same as {@link BundlerMachine#noWorkerYet}. */
  void noWorkerYet(boolean none, Moment now) {
    if (none || noWorkerYet) {
      workersSince = now.mono();
    }
    noWorkerYet = none;
  }

  /** Whether any listed worker has a free slot. */
  void listed(boolean idle) {
    idleWorkers = idle;
  }

  /** Whether it has lasted long enough to say something of the tasks. */
  boolean lasts(Moment now) {
    return sentAny()
        && now.mono() - firstSent >= BundlerMachine.PROBE_MILLIS
        && mayHaveAnswered(now);
  }

  /**
   * Whether it says something of the tasks: a worker that has only just come is given as long as
   * one that was there from the start.
   */
  boolean mayHaveAnswered(Moment now) {
    return !noWorkerYet
        && (workersSince < 0 || now.mono() - workersSince >= BundlerMachine.PROBE_MILLIS);
  }

  /**
   * The tasks of a bundle meanwhile: one for each of the first bundles if an idle worker has not
   * answered for so long, as tasks then probably take longer than a bundle's target; always one if
   * no worker could hand on the rest.
   *
   * @param slots the slots of the listed workers
   */
  int bundleTasks(int slots) {
    boolean single = !handsOn || (idleWorkers && singles < SINGLES_FOR_SLOT * slots);
    return single ? 1 : BundlerMachine.PROBE_TASKS;
  }
}
