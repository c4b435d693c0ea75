package io.cloudkon.faults;

import io.cloudkon.core.model.Positions;
import io.cloudkon.faults.TestCluster.Leased;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Keeps what killed workers had recorded as started and not as done. It looks after each kill at
 * all that died so far: a write that was on its way when its worker died shows the next time.
 */
final class Witness {
  private final TestCluster cluster;
  private final Set<String> killed = new HashSet<>();
  private final Map<String, Positions> atRisk = new HashMap<>();

  Witness(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Another worker was killed. */
  void killed(String id) {
    killed.add(id);
    for (String state : Set.of("LEASED", "LOSING")) {
      for (Leased claim : cluster.claims(state)) {
        if (killed.contains(claim.owner())) {
          atRisk.merge(
              claim.id() + " " + claim.attempt(),
              claim.started().minus(claim.done()),
              Positions::plus);
        }
      }
    }
  }

  /** How many tasks killed workers left so, in all. */
  long startedAndNotRecorded() {
    return atRisk.values().stream().mapToLong(Positions::size).sum();
  }
}
