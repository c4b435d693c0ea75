package io.cloudkon.core.protocol.worker;

import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.time.Moment;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The claims of other workers that this worker has met. Their bundles are no work of this worker as
 * long as their owners live: a task of more than 12 hours outlives the hiding of its message, whose
 * copies come again and again. An owner has shown that it lives once its lease ends later than at
 * the last meeting. Until then it may be dead, and its bundle may be free when the lease is over:
 * the last idle worker must not leave before that. Pure; used by one thread at a time.
 */
final class ForeignClaims {
  /** The time in which a message that becomes visible is received, in milliseconds. */
  private static final long RECEIVED_MILLIS = 5_000;

  /** The maximum number of remembered claims. */
  private static final int KNOWN = 1_000;

  private final long margin;
  private final Map<String, Met> met = new LinkedHashMap<>();

  /**
   * A claim when it was met last.
   *
   * @param leaseEnd service clock, epoch milliseconds
   * @param mayBeFreeUntil by the monotonic clock, in milliseconds; the lowest value if its owner
   *     has shown that it lives
   */
  private record Met(long leaseEnd, long mayBeFreeUntil) {}

  /**
   * Nothing was met yet.
   *
   * @param marginMillis the maximum difference between two clocks, in milliseconds
   */
  ForeignClaims(long marginMillis) {
    this.margin = marginMillis;
  }

  /** Handles the answer to an acquisition. */
  void answered(ClaimAnswer answer, Moment now) {
    switch (answer) {
      case ClaimAnswer.Accepted accepted -> met.remove(accepted.claim().id());
      case ClaimAnswer.Refused refused -> {
        Claim current = refused.current();
        if (current != null) {
          refused(current, now);
        }
      }
    }
  }

  private void refused(Claim current, Moment now) {
    Met before = met.remove(current.id());
    long left = current.leaseEnd() + margin - now.service();
    boolean leased = current.state() == ClaimState.LEASED || current.state() == ClaimState.LOSING;
    if (!leased || left < 0) {
      return;
    }
    boolean lives = before != null && before.leaseEnd() < current.leaseEnd();
    met.put(
        current.id(),
        new Met(current.leaseEnd(), lives ? Long.MIN_VALUE : now.mono() + left + RECEIVED_MILLIS));
    if (met.size() > KNOWN) {
      Iterator<String> oldest = met.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Whether a bundle that was put back may become free, or has just become so. */
  boolean mayBecomeFree(Moment now) {
    for (Met claim : met.values()) {
      if (now.mono() < claim.mayBeFreeUntil()) {
        return true;
      }
    }
    return false;
  }
}
