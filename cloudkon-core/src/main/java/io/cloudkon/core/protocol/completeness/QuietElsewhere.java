package io.cloudkon.core.protocol.completeness;

import io.cloudkon.core.time.Moment;

/** Tells whether the other places where results may be have nothing more. */
@FunctionalInterface
public interface QuietElsewhere {
  /** Whether receives there have shown it for so long until now, in milliseconds. */
  boolean lasted(long millis, Moment now);
}
