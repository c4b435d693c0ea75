package io.cloudkon.simulator.cloud;

/** A rate limit per second; the burst limit is the tokens of one second. */
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

  /** Takes tokens if enough are available; returns whether it did. */
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
