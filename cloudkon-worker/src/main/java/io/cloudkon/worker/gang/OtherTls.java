package io.cloudkon.worker.gang;

import io.cloudkon.core.model.RankOffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers of managers that encrypt calls where this worker does not, or the other way round: it says
 * so at once, and then once a minute. Thread safe.
 */
final class OtherTls {
  private static final Logger LOG = LoggerFactory.getLogger(OtherTls.class);

  /** For so long this worker does not receive it again: others have a turn. */
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
    return "refused %s: its manager has --rmi-tls %s, and this worker has %s; give all workers of a cluster the same"
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
