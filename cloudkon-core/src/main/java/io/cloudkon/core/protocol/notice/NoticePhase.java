package io.cloudkon.core.protocol.notice;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a worker on its way off a machine that is to leave. */
public enum NoticePhase {
  /** Nothing is announced, or only for much later. */
  CALM,
  /** The machine may be taken away: it works until another worker has come in its place. */
  REPLACING,
  /** The machine is down for maintenance soon: it works until just before that. */
  CLOSING,
  /** It drains, and ends. */
  LEAVING;

  /** What moves it. */
  public enum Trigger {
    /** The machine is being taken away. */
    INTERRUPTION,
    /** The machine is likely to be taken away. */
    REBALANCE,
    /** Maintenance is near. */
    MAINTENANCE,
    /** The maintenance was cancelled, or put off. */
    CANCELLED,
    /** The last moment before maintenance in which a whole drain has room. */
    DUE,
    /** Another worker has come in its place. */
    REPLACED
  }

  /** Every legal step. */
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
