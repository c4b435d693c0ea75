package io.cloudkon.core.protocol.notice;

import io.cloudkon.core.port.WorkerEntry;
import java.util.Locale;

/** A reason for which a machine is to leave. */
public enum Notice {
  /** It is not to leave, as far as is known. */
  NONE,
  /** It is being taken away: a Spot interruption, or the end that its group has decided. */
  INTERRUPTION,
  /** It is likely to be taken away: a rebalance recommendation. */
  REBALANCE,
  /** It is to be stopped, restarted or retired at an appointed time. */
  MAINTENANCE;

  /** What {@link WorkerEntry#notice} says. */
  public String label() {
    return this == NONE ? "" : name().toLowerCase(Locale.ROOT);
  }
}
