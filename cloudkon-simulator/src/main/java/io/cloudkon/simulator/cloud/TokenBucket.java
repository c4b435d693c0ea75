package io.cloudkon.simulator.cloud;

/** So many per second, and as many at once. */
final class TokenBucket {
  private final double perMicro;
  private final double most;
  private double tokens;
  private long at;

  TokenBucket(int perSecond) {
    perMicro = perSecond / 1e6;
    most = perSecond;
    tokens = perSecond;
  }

  /** Whether so many may pass now; if so, they are taken. */
  boolean take(double wanted, long now) {
    tokens = Math.min(most, tokens + (now - at) * perMicro);
    at = now;
    if (tokens < wanted) {
      return false;
    }
    tokens -= wanted;
    return true;
  }
}
