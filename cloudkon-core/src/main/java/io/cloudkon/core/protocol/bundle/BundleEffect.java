package io.cloudkon.core.protocol.bundle;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.ClaimEffect;

/**
 * An action that a bundle's machine asks for. Each effect is one action, whose outcome is reported
 * as an event.
 */
public sealed interface BundleEffect {

  /** Call the claim store. */
  record CallClaims(ClaimEffect.Call call) implements BundleEffect {}

  /** Send the results of these tasks to the response queue: all of them have finished. */
  record SendResults(Positions tasks) implements BundleEffect {}

  /** Send the client {@code LOST} for these tasks. */
  record SendLost(Positions tasks) implements BundleEffect {}

  /** Send the client {@code FAILED} for these tasks, with this reason. */
  record SendFailed(Positions tasks, String reason) implements BundleEffect {}

  /** Send these tasks to the dead-letter queue, with this reason. */
  record SendDead(Positions tasks, String reason) implements BundleEffect {}

  /**
   * Send these tasks to the request queue as the bundle's k-th child.
   *
   * @param failedHere whether some of its tasks failed here and are to be tried elsewhere
   */
  record SendChild(int k, Positions tasks, boolean failedHere) implements BundleEffect {
    /** A child of tasks that were not tried here. */
    public SendChild(int k, Positions tasks) {
      this(k, tasks, false);
    }
  }

  /** Hide the message for another lease. */
  record ExtendVisibility(long millis) implements BundleEffect {}

  /** Make the message visible again after this time; 0 for at once. */
  record PutBack(long millis) implements BundleEffect {}

  /** Delete the message. */
  record DeleteMessage() implements BundleEffect {}

  /**
   * Note that this worker gives the bundle back because the worker is sick, and count the workers
   * that did so.
   *
   * @param claim the claim's key
   */
  record NoteSick(String claim) implements BundleEffect {}

  /** Stop its running tasks at once. */
  record Kill() implements BundleEffect {}

  /** The bundle is closed: forget it. */
  record Close(Reason reason) implements BundleEffect {}

  /** Why a bundle was closed. */
  enum Reason {
    /** It is done, or its message was left over. */
    COMPLETE,
    /** It was given back for other workers. */
    GIVEN_BACK,
    /** It was taken by another worker, or is not certain to belong to this one any more. */
    LOST
  }
}
