package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.table.TransitionTable;

/**
 * The known causes for which the ranks of a job's attempt end. An event that the table does not
 * declare brings nothing new: the first cause counts, unless it turns out to be a consequence of
 * the other. What the table does not declare tells nothing new: the first cause counts, but for one
 * that turns out to be the other's consequence.
 */
public enum GangRunPhase {
  /** Whatever has ended, ended well. */
  RUNNING,
  /** A rank ended with others of its program; that a worker leaves may turn out to be why. */
  ENDED,
  /** The same, and no worker that leaves is why. */
  ENDED_BY_ITSELF,
  /** A rank was ended by its worker, which stays. */
  KILLED,
  /** A rank failed. */
  FAILED,
  /** What the manager runs beside the ranks failed; that a worker leaves may turn out to be why. */
  LAUNCH_FAILED,
  /** The same, and no worker that leaves is why. */
  LAUNCH_FAILED_BY_ITSELF,
  /** A rank was ended as its worker leaves: nobody died. */
  LEFT,
  /** What the manager runs beside the ranks failed before any rank began. */
  NEVER_LAUNCHED,
  /** The manager's worker could not start what it runs beside the ranks: no rank began. */
  HINDERED,
  /** It was ended before any rank began. */
  NEVER_BEGUN;

  /** What becomes known. */
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

  /** Every step that tells something new. */
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
