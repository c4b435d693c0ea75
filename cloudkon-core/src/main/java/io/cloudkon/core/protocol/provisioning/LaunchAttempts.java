package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.Decision;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The time at which each intended decision may last have been carried out. An attempt without an
 * answer may have launched something that is not listed yet, and an earlier provisioner may have
 * tried until its lease ended. Pure; used by one thread at a time.
 */
final class LaunchAttempts {
  /** How long a call may last that was begun within a lease. */
  private static final long CALL_MILLIS = 60_000;

  /** The time until which others may have tried; the maximum after the first observation. */
  private long earlierUntil;

  /** By token, in service milliseconds. */
  private final Map<String, Long> last = new HashMap<>();

  private final Set<String> planned = new HashSet<>();

  /**
   * No attempts yet.
   *
   * @param leaseEnd the end of the lease before this one; service clock, epoch milliseconds; {@link
   *     Long#MAX_VALUE} if unknown
   */
  LaunchAttempts(long leaseEnd) {
    this.earlierUntil = leaseEnd > Long.MAX_VALUE - CALL_MILLIS ? leaseEnd : leaseEnd + CALL_MILLIS;
  }

  /** Records an observation, which was made after everything in the last plan was tried. */
  void look(FleetObservation seen) {
    // What is intended at the first observation was tried by others, and by none after its lease.
    long unplanned = Math.min(seen.atMillis(), earlierUntil);
    earlierUntil = Long.MAX_VALUE;
    Set<String> open = new HashSet<>();
    for (Decision decision : seen.launches()) {
      if (decision.state() == Decision.State.INTENDED) {
        String token = decision.token();
        open.add(token);
        if (planned.contains(token)) {
          last.put(token, seen.atMillis());
        } else {
          last.putIfAbsent(token, unplanned);
        }
      }
    }
    last.keySet().retainAll(open);
    planned.clear();
  }

  /** Records that these decisions will be carried out again before the next observation. */
  void plan(List<Decision> again) {
    again.forEach(decision -> planned.add(decision.token()));
  }

  /** The time of the last attempt, or the decision's own if that is later. */
  long lastOf(Decision decision) {
    return Math.max(decision.atMillis(), last.getOrDefault(decision.token(), 0L));
  }
}
