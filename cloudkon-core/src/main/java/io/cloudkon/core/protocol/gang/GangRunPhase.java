package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.table.TransitionTable;

/**
 * The known causes for which the ranks of a job's attempt end. The first cause counts, unless it
 * turns out to be a consequence of a later one. An event that the table does not declare does not
 * change the cause.
 */
public enum GangRunPhase {
  /** All ranks that have ended succeeded. */
  RUNNING,
  /**
   * A rank was stopped with others of its program; the reason may still turn out to be a worker
   * that leaves.
   */
  ENDED,
  /** The same, and no worker that leaves is why. */
  ENDED_BY_ITSELF,
  /** A rank was stopped by its worker, which stays. */
  KILLED,
  /** A rank failed. */
  FAILED,
  /** The launcher failed; the reason may still turn out to be a worker that leaves. */
  LAUNCH_FAILED,
  /** The same, and no worker that leaves is why. */
  LAUNCH_FAILED_BY_ITSELF,
  /** A rank was stopped because its worker leaves: no worker died. */
  LEFT,
  /** The launcher failed before any rank began. */
  NEVER_LAUNCHED,
  /** The manager's worker could not start the launcher: no rank began. */
  HINDERED,
  /** The attempt was stopped before any rank began. */
  NEVER_BEGUN;

  /** The triggers of transitions. */
  public enum Trigger {
    END,
    FAIL,
    KILL,
    LEAVE,
    LAUNCH_FAIL,
    NEVER_LAUNCH,
    HINDER,
    WITHDRAW
  }

  /** The transitions to a new cause. */
  public static final TransitionTable<GangRunPhase, Trigger> TABLE =
      TransitionTable.of("gang run", RUNNING, Trigger.class)
          .row(RUNNING, Trigger.END, ENDED)
          .row(RUNNING, Trigger.FAIL, FAILED)
          .row(RUNNING, Trigger.KILL, KILLED)
          .row(RUNNING, Trigger.LEAVE, LEFT)
          .row(RUNNING, Trigger.LAUNCH_FAIL, LAUNCH_FAILED)
          .row(RUNNING, Trigger.NEVER_LAUNCH, NEVER_LAUNCHED)
          .row(RUNNING, Trigger.HINDER, HINDERED)
          .row(RUNNING, Trigger.WITHDRAW, NEVER_BEGUN)
          .row(ENDED, Trigger.FAIL, FAILED)
          .row(ENDED, Trigger.KILL, ENDED_BY_ITSELF)
          .row(ENDED, Trigger.LEAVE, LEFT)
          .row(ENDED, Trigger.LAUNCH_FAIL, LAUNCH_FAILED)
          .row(ENDED_BY_ITSELF, Trigger.FAIL, FAILED)
          .row(ENDED_BY_ITSELF, Trigger.LAUNCH_FAIL, LAUNCH_FAILED_BY_ITSELF)
          .row(KILLED, Trigger.END, ENDED_BY_ITSELF)
          .row(KILLED, Trigger.FAIL, FAILED)
          .row(KILLED, Trigger.LAUNCH_FAIL, LAUNCH_FAILED_BY_ITSELF)
          .row(FAILED, Trigger.LAUNCH_FAIL, LAUNCH_FAILED_BY_ITSELF)
          .row(LAUNCH_FAILED, Trigger.FAIL, LAUNCH_FAILED_BY_ITSELF)
          .row(LAUNCH_FAILED, Trigger.KILL, LAUNCH_FAILED_BY_ITSELF)
          .row(LAUNCH_FAILED, Trigger.LEAVE, LEFT)
          .build();
}
