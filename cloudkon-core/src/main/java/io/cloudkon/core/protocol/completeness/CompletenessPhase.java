package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a client's wait for all results. */
public enum CompletenessPhase {
  /** Tasks are being sent. */
  SENDING,
  /** Everything was sent; results are missing. */
  COLLECTING,
  /** Every task has a result, some only a provisional LOST: late results may still replace it. */
  GRACE,
  /** Every task has its final result. */
  COMPLETE;

  /** The triggers of transitions. */
  public enum Trigger {
    ALL_SENT,
    ONLY_LOST_LEFT,
    GRACE_OVER,
    ALL_FINAL
  }

  /** The permitted transitions. */
  public static final TransitionTable<CompletenessPhase, Trigger> TABLE =
      TransitionTable.of("completeness", SENDING, Trigger.class)
          .row(SENDING, Trigger.ALL_SENT, COLLECTING)
          .row(COLLECTING, Trigger.ONLY_LOST_LEFT, GRACE)
          .row(COLLECTING, Trigger.ALL_FINAL, COMPLETE)
          .row(GRACE, Trigger.ALL_FINAL, COMPLETE)
          .row(GRACE, Trigger.GRACE_OVER, COMPLETE)
          .build();
}
