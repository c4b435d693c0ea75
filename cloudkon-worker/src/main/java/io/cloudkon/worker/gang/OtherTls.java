package io.cloudkon.worker.gang;

import io.cloudkon.core.model.RankOffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs offers of managers whose setting of {@code --rmi-tls} differs from this worker's: the first
 * at once, then at most one a minute. Thread safe.
 */
final class OtherTls {
  private static final Logger LOG = LoggerFactory.getLogger(OtherTls.class);

  /** The time for which this worker does not receive such an offer again, so that others can. */
  static final int HIDDEN_MILLIS = 2_000;

  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanos;
  private boolean said;
  private long saidAt;

  OtherTls(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void refuse(RankOffer offer) {
    if (due()) {
      LOG.warn("{}", message(offer));
    }
  }

  static String message(RankOffer offer) {
    boolean here = offer.fingerprint().isEmpty();
    return "refused %s: its manager has --rmi-tls %s, but this worker has %s; use the same setting for all workers of a cluster"
        .formatted(offer, here ? "off" : "on", here ? "on" : "off");
  }

  private synchronized boolean due() {
    long now = nanos.getAsLong();
    if (said && now - saidAt < QUIET_NANOS) {
      return false;
    }
    said = true;
    saidAt = now;
    return true;
  }
}
