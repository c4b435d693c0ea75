package io.cloudkon.core.protocol.notice;

import io.cloudkon.core.port.WorkerEntry;
import java.util.Locale;

/** The announcement that a machine will be reclaimed or maintained. */
public enum Notice {
  /** Nothing is announced. */
  NONE,
  /** The machine is being reclaimed by a Spot interruption or ended by its group. */
  INTERRUPTION,
  /** The machine is likely to be reclaimed: a rebalance recommendation. */
  REBALANCE,
  /** The machine will be stopped, restarted or retired at a scheduled time. */
  MAINTENANCE;

  /** The value in {@link WorkerEntry#notice}. */
  public String label() {
    return this == NONE ? "" : name().toLowerCase(Locale.ROOT);
  }
}
