package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a gang, at its manager. */
public enum GangPhase {
  /** It has its slots in the ledger; its ranks are not offered yet, or not all of them. */
  FORMING,
  /** Its ranks are offered to sub-workers with free slots. */
  OFFERED,
  /** A sub-worker leaves before every rank has its slot: it is to be dissolved. */
  ABANDONED,
  /** Every rank has its slot; no job runs. */
  STANDING,
  /** Its ranks run a job. */
  SERVING,
  /** The same, but this is its last job, because others need its slots or a sub-worker leaves. */
  SERVING_LAST,
  /** Its ranks are being stopped, because one of them failed or the job is taken from it. */
  STOPPING,
  /** The same, but this is its last job. */
  STOPPING_LAST,
  /**
   * A sub-worker is lost, and the remaining ranks are being stopped; the gang will take no other
   * job.
   */
  BREAKING,
  /** Nothing runs and it takes no more jobs: it is to be dissolved. */
  RETIRED,
  /** Dissolved. */
  GONE;

  /** The triggers of a gang's transitions. */
  public enum Trigger {
    OFFER,
    OFFER_FAILED,
    FULL,
    SERVE,
    SERVED,
    STOP,
    STOPPED,
    BREAK,
    RETIRE,
    DISSOLVE
  }

  /** The permitted transitions. */
  public static final TransitionTable<GangPhase, Trigger> TABLE =
      TransitionTable.of("gang", FORMING, Trigger.class)
          .row(FORMING, Trigger.OFFER, OFFERED)
          .row(FORMING, Trigger.FULL, STANDING)
          .row(FORMING, Trigger.RETIRE, ABANDONED)
          .row(FORMING, Trigger.DISSOLVE, GONE)
          .row(OFFERED, Trigger.OFFER_FAILED, FORMING)
          .row(OFFERED, Trigger.FULL, STANDING)
          .row(OFFERED, Trigger.RETIRE, ABANDONED)
          .row(OFFERED, Trigger.DISSOLVE, GONE)
          .row(ABANDONED, Trigger.DISSOLVE, GONE)
          .row(STANDING, Trigger.SERVE, SERVING)
          .row(STANDING, Trigger.RETIRE, RETIRED)
          .row(STANDING, Trigger.DISSOLVE, GONE)
          .row(SERVING, Trigger.SERVED, STANDING)
          .row(SERVING, Trigger.STOP, STOPPING)
          .row(SERVING, Trigger.BREAK, BREAKING)
          .row(SERVING, Trigger.RETIRE, SERVING_LAST)
          .row(SERVING_LAST, Trigger.SERVED, RETIRED)
          .row(SERVING_LAST, Trigger.STOP, STOPPING_LAST)
          .row(SERVING_LAST, Trigger.BREAK, BREAKING)
          .row(STOPPING, Trigger.STOPPED, STANDING)
          .row(STOPPING, Trigger.BREAK, BREAKING)
          .row(STOPPING, Trigger.RETIRE, STOPPING_LAST)
          .row(STOPPING_LAST, Trigger.STOPPED, RETIRED)
          .row(STOPPING_LAST, Trigger.BREAK, BREAKING)
          .row(BREAKING, Trigger.DISSOLVE, GONE)
          .row(RETIRED, Trigger.DISSOLVE, GONE)
          .build();
}
