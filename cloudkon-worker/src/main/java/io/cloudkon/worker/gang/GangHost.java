package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;

/** The services that gangs need from their worker. Thread safe. */
public interface GangHost {

  /** Runs ranks. */
  TaskRunner runner();

  /** Decides whether a rank that did not start is at fault itself. */
  Health health();

  /** Provides the inputs of ranks. */
  Inputs inputs();

  /** The worker's counters. */
  WorkerStats stats();

  /** The number of slots that run nothing and are not kept for ranks. */
  int freeSlots();

  /** The number of slots that run a task and will probably be free in a moment. */
  int slotsSoon();

  /** Asks to keep that many slots for ranks; the answer goes to the inbox. Returns at once. */
  void keepSlots(long question, int slots);

  /**
   * Receives up to {@code max} jobs and reports the outcome to the inbox exactly once; blocks.
   * After {@link #stopReceiving} it receives nothing and reports that.
   */
  void receive(int max);

  /** Stops receiving, and ends a receive that is under way. Returns at once. */
  void stopReceiving();

  /** Carries out an effect on a job's bundle; returns at once. */
  void carryOut(BundleInHand job, BundleEffect effect);

  /** The number of jobs in hand whose results are still to come. */
  Backlog backlog();

  /** Handles a possible end of all gangs. */
  void changed();

  /** Ends the worker at once, because a rank still runs here that must not start elsewhere. */
  void leave();

  /** Releases the resources that it holds for jobs. */
  void close() throws InterruptedException;
}
