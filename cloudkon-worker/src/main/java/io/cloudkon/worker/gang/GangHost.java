package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.health.Health;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;

/** The worker in which gangs live: what they need of it. Thread safe. */
public interface GangHost {

  /** Runs ranks. */
  TaskRunner runner();

  /** Says whether a rank that did not start is to blame. */
  Health health();

  /** What ranks need before they run. */
  Inputs inputs();

  /** What the worker counts. */
  WorkerStats stats();

  /** Slots that run nothing, and are not kept for ranks. */
  int freeSlots();

  /** Keep so many slots for ranks; answered to the inbox. Returns at once. */
  void keepSlots(long question, int slots);

  /**
   * Receives up to so many jobs, and tells the inbox, once, whatever becomes of it; blocks. After
   * {@link #stopReceiving} it receives nothing, and says so.
   */
  void receive(int max);

  /** Receives no more, and ends the receive that is under way. Returns at once. */
  void stopReceiving();

  /** Does what a job wants done as a bundle; returns at once. */
  void carryOut(BundleInHand job, BundleEffect effect);

  /** Which jobs in hand are still to have results. */
  Backlog backlog();

  /** The gangs have ended, or may have. */
  void changed();

  /** Lets go of what it has for jobs. */
  void close() throws InterruptedException;
}
