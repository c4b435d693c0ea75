package io.cloudkon.worker.metrics;

import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.time.TimeSource;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The claim store, with a timer for acquisitions, including those that failed. */
record MeteredClaims(ClaimStore store, TimeSource time, Timer took) implements ClaimStore {

  @Override
  public ClaimAnswer acquire(Acquisition acquisition) {
    long begun = time.monotonicNanos();
    try {
      return store.acquire(acquisition);
    } finally {
      took.record(time.monotonicNanos() - begun, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public ClaimAnswer write(ClaimWrite write) {
    return store.write(write);
  }

  @Override
  public int noteSick(String id, String worker, long ttl) {
    return store.noteSick(id, worker, ttl);
  }

  @Override
  public ClaimAnswer survive(String id, int attempt) {
    return store.survive(id, attempt);
  }

  @Override
  public Map<String, Claim> read(Collection<String> ids) {
    return store.read(ids);
  }
}
