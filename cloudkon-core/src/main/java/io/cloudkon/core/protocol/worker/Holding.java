package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.time.Moment;
import java.util.List;

/** A message that a worker holds: a bundle with one claim, or with one claim per task. */
sealed interface Holding permits WholeBundle, TaskByTask {

  /** Creates an instance for a message that has just arrived. */
  static Holding of(WorkerEvent.Arrival arrival, WorkerSettings settings, Moment hiddenSince) {
    return arrival.bundle().header().claimsTasks()
        ? new TaskByTask(arrival, settings, hiddenSince)
        : new WholeBundle(arrival, settings, hiddenSince);
  }

  Bundle bundle();

  /** Processes an event and returns the effects. */
  List<BundleEffect> on(BundleEvent event, Moment now);

  /**
   * Takes tasks for a slot; they count as running from then on.
   *
   * @param max the maximum number of tasks
   * @param startsAhead in at-most-once, how many starts may be recorded in advance
   * @param out receives the effects
   */
  Positions take(int max, int startsAhead, Moment now, List<BundleEffect> out);

  /** The attempt of the claim on this task; 1 if there is no claim. */
  int attempt(int position);

  /** Whether its workers died so often that a worker runs only one such bundle at a time. */
  boolean oneByOne();

  /** Whether nothing was requested yet. */
  boolean untouched();

  /**
   * Whether there is a claim to request when a slot is about to become free.
   *
   * @param slots the number of the worker's slots
   */
  boolean mayBegin(int slots);

  /**
   * Whether some of it is work of this worker: a claim was granted, or there are none, or nobody
   * answers whether one was granted. Another worker may hold the claim of a message that is only
   * held, or whose claim was just requested.
   */
  boolean isWork(Moment now);

  /** The number of tasks whose claim was not requested yet. */
  int heldTasks();

  /** The number of tasks whose claim was requested and that are not in a slot. */
  int begunTasks();

  /** The number of tasks that wait for a slot and may start. */
  int pendingCount();
}
