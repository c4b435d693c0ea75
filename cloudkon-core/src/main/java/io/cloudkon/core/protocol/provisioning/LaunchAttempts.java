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
 * tried until this one took over. Pure; used by one thread at a time.
 */
final class LaunchAttempts {
  /** By token, in service milliseconds. */
  private final Map<String, Long> last = new HashMap<>();

  private final Set<String> planned = new HashSet<>();

  /** Records an observation, which was made after everything in the last plan was tried. */
  void look(FleetObservation seen) {
    Set<String> open = new HashSet<>();
    for (Decision decision : seen.launches()) {
      if (decision.state() == Decision.State.INTENDED) {
        String token = decision.token();
        open.add(token);
        if (planned.contains(token)) {
          last.put(token, seen.atMillis());
        } else {
          last.putIfAbsent(token, seen.atMillis());
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
