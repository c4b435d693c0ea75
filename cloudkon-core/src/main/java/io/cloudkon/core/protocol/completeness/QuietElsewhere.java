package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.time.Moment;

/** Whether nothing comes from where else results may lie. */
@FunctionalInterface
public interface QuietElsewhere {
  /** Whether receives there have shown it for so long until now, in milliseconds. */
  boolean lasted(long millis, Moment now);
}
