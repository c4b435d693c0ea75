package io.cloudkon.core.protocol.notice;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a worker on a machine with an announcement. */
public enum NoticePhase {
  /** Nothing is announced, or only for a much later time. */
  CALM,
  /** The machine may be reclaimed: the worker continues until another worker replaces it. */
  REPLACING,
  /** Maintenance begins soon: the worker continues until just before it. */
  CLOSING,
  /** It drains, and ends. */
  LEAVING;

  /** The triggers of transitions. */
  public enum Trigger {
    /** The machine is being reclaimed. */
    INTERRUPTION,
    /** The machine is likely to be reclaimed. */
    REBALANCE,
    /** Maintenance is near. */
    MAINTENANCE,
    /** The maintenance was cancelled or postponed. */
    CANCELLED,
    /** The latest time before the maintenance at which a complete drain can begin. */
    DUE,
    /** Another worker has replaced it. */
    REPLACED
  }

  /** The permitted transitions. */
  public static final TransitionTable<NoticePhase, Trigger> TABLE =
      TransitionTable.of("notice", CALM, Trigger.class)
          .row(CALM, Trigger.REBALANCE, REPLACING)
          .row(CALM, Trigger.MAINTENANCE, CLOSING)
          .row(CALM, Trigger.DUE, LEAVING)
          .row(CALM, Trigger.INTERRUPTION, LEAVING)
          .row(REPLACING, Trigger.REPLACED, LEAVING)
          .row(REPLACING, Trigger.DUE, LEAVING)
          .row(REPLACING, Trigger.INTERRUPTION, LEAVING)
          .row(CLOSING, Trigger.REBALANCE, REPLACING)
          .row(CLOSING, Trigger.CANCELLED, CALM)
          .row(CLOSING, Trigger.DUE, LEAVING)
          .row(CLOSING, Trigger.INTERRUPTION, LEAVING)
          .row(LEAVING, Trigger.INTERRUPTION, LEAVING)
          .build();
}
