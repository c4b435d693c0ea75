package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The open launches on EC2 at one moment, whose instances EC2 may not list completely yet.
 * Immutable.
 *
 * @param decisions the open decisions
 * @param untilMillis until when EC2's list may be incomplete; service clock, epoch milliseconds
 */
record OpenLaunches(List<Decision> decisions, long untilMillis) {
  /** EC2 lists an instance within seconds of its launch. */
  private static final Duration LISTED_WITHIN = Duration.ofMinutes(1);

  OpenLaunches {
    decisions = List.copyOf(decisions);
  }

  /** Reads the open launches; a cluster without a table has none. */
  static OpenLaunches read(Cluster cluster, long nowMillis) {
    try {
      return cluster
          .decisions()
          .provisioner()
          .map(entry -> of(entry, open(cluster, entry), nowMillis))
          .orElse(new OpenLaunches(List.of(), 0));
    } catch (MissingResourceException e) {
      return new OpenLaunches(List.of(), 0);
    }
  }

  private static List<Decision> open(Cluster cluster, ProvisionerEntry entry) {
    long last = entry.nextDecision() - 1;
    return cluster.decisions().decisions(entry.oldestOpen(), last).stream()
        .filter(Decision::open)
        .filter(decision -> decision.request().containsKey(Ec2Launches.TEMPLATE))
        .toList();
  }

  private static OpenLaunches of(ProvisionerEntry entry, List<Decision> open, long nowMillis) {
    // The call of an intent may have been made until its provisioner's lease ended.
    long lease = Math.max(entry.updatedMillis(), entry.leaseEnd());
    long made =
        open.stream()
            .mapToLong(decision ->
                decision.state() == Decision.State.INTENDED
                    ? Math.max(decision.updatedMillis(), lease)
                    : decision.updatedMillis())
            .max()
            .orElse(0);
    return new OpenLaunches(open, Math.min(made, nowMillis) + LISTED_WITHIN.toMillis());
  }

  /** The granted instances that are not in this list. */
  List<String> unlisted(Collection<LaunchedInstance> listed) {
    Set<String> ids = listed.stream().map(LaunchedInstance::id).collect(Collectors.toSet());
    return decisions.stream()
        .flatMap(decision -> decision.instances().stream())
        .filter(id -> !ids.contains(id))
        .toList();
  }

  /** Whether this list may be incomplete. */
  boolean mayLack(Collection<LaunchedInstance> listed, long nowMillis) {
    return nowMillis < untilMillis
        && (!unlisted(listed).isEmpty()
            || decisions.stream()
                .filter(decision -> decision.state() == Decision.State.INTENDED)
                .anyMatch(decision -> listed(decision, listed) < decision.count()));
  }

  private static long listed(Decision decision, Collection<LaunchedInstance> listed) {
    return listed.stream().filter(one -> one.launch().equals(decision.token())).count();
  }
}
