package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.time.Moment;

/**
 * A delay that doubles with each consecutive failure. It has no jitter, because only one
 * provisioner launches at a time. Times in milliseconds of the monotonic clock. Not thread safe.
 */
final class LaunchBackOff {
  private final long first;
  private final long longest;
  private int failures;
  private long until = Long.MIN_VALUE;

  LaunchBackOff(long first, long longest) {
    this.first = first;
    this.longest = longest;
  }

  void failed(Moment now) {
    failures++;
    until = now.mono() + Math.min(longest, first << Math.min(20, failures - 1));
  }

  void reset() {
    failures = 0;
    until = Long.MIN_VALUE;
  }

  /** The number of consecutive failures. */
  int failures() {
    return failures;
  }

  /** The remaining delay; 0 if there is none. */
  long remaining(Moment now) {
    return until <= now.mono() ? 0 : until - now.mono();
  }
}
