package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.time.Moment;
import java.util.List;

/** One message in a worker's hands: a bundle with one claim, or with a claim for each task. */
sealed interface Holding permits WholeBundle, TaskByTask {

  /** What just arrived. */
  static Holding of(WorkerEvent.Arrival arrival, WorkerSettings settings, Moment receiveBegun) {
    return arrival.bundle().header().claimsTasks()
        ? new TaskByTask(arrival, settings, receiveBegun)
        : new WholeBundle(arrival, settings, receiveBegun);
  }

  Bundle bundle();

  /** Event in, effects out. */
  List<BundleEffect> on(BundleEvent event, Moment now);

  /**
   * Takes tasks for a slot: they count as running from here on.
   *
   * @param max at most how many
   * @param startsAhead at-most-once: how many starts may be recorded ahead
   * @param out takes the effects
   */
  Positions take(int max, int startsAhead, Moment now, List<BundleEffect> out);

  /** The attempt of the claim on this task; 1 where there is no claim. */
  int attempt(int position);

  /** Whether its workers died so often that a worker runs one such bundle at a time. */
  boolean oneByOne();

  /** Whether nothing was asked for yet. */
  boolean untouched();

  /**
   * Whether there is a claim to ask for when a slot is about to be free.
   *
   * @param slots of the worker
   */
  boolean mayBegin(int slots);

  /** Tasks whose claim was not asked for yet. */
  int heldTasks();

  /** Tasks whose claim was asked for, and that no slot has. */
  int begunTasks();

  /** Tasks that wait for a slot, and may start. */
  int pendingCount();
}
