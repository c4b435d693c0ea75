package io.cloudkon.core.protocol.bundler;

import io.cloudkon.core.protocol.table.TransitionTable;

/** The phases of a bundler, by what it knows. */
public enum BundlerPhase {
  /** Nothing was heard yet: small bundles find out how long tasks take. */
  PROBING,
  /** Nothing was heard for a while: tasks are long, or nobody is there. */
  BLIND,
  /** Results have come back. */
  ADAPTING,
  /** The user fixed the size. */
  FIXED;

  /** The triggers that move a bundler from one phase to the next. */
  public enum Trigger {
    FIX,
    HEARD,
    SILENCE
  }

  /** Every legal step. */
  public static final TransitionTable<BundlerPhase, Trigger> TABLE =
      TransitionTable.of("bundler", PROBING, Trigger.class)
          .row(PROBING, Trigger.FIX, FIXED)
          .row(PROBING, Trigger.HEARD, ADAPTING)
          .row(PROBING, Trigger.SILENCE, BLIND)
          .row(BLIND, Trigger.HEARD, ADAPTING)
          .row(ADAPTING, Trigger.HEARD, ADAPTING)
          .row(FIXED, Trigger.HEARD, FIXED)
          .build();
}
