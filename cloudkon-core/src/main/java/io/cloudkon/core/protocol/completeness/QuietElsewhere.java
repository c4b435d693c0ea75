package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.time.Moment;

/** Determines whether no more results come from other places. */
@FunctionalInterface
public interface QuietElsewhere {
  /** Whether receives there have returned nothing for this time until now, in milliseconds. */
  boolean lasted(long millis, Moment now);
}
