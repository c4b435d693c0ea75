package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.aws.Patience;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The instances that a cluster's provisioners have left, when the cluster is to be removed. Used by
 * one thread.
 */
public final class LeftInstances {
  /** EC2 ends an instance within a minute or two. */
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(5);

  /** A worker counts as live for so long after it was heard of last, and some. */
  private static final Duration SILENT_WITHIN = Duration.ofMillis(2 * WorkerEntry.SILENT_MILLIS);

  private static final int DECISIONS = 500;
  private static final int NAMED = 10;

  private final Cluster cluster;
  private final Instances instances;
  private final LongSupplier serviceMillis;

  /**
   * Asks nothing yet.
   *
   * @param serviceMillis the service's clock, epoch milliseconds
   */
  public LeftInstances(Cluster cluster, Ec2Service ec2, LongSupplier serviceMillis) {
    this.cluster = cluster;
    this.instances = new Instances(ec2, cluster.name());
    this.serviceMillis = serviceMillis;
  }

  /**
   * Whether there may be any: a provisioner has launched on EC2, as the cluster's table shows.
   * Where none has, EC2 need not be asked, nor be there.
   */
  public boolean mayExist() {
    try {
      return cluster.decisions().provisioner().filter(this::hasLaunched).isPresent();
    } catch (MissingResourceException e) {
      return false;
    }
  }

  private boolean hasLaunched(ProvisionerEntry entry) {
    long last = entry.nextDecision() - 1;
    return entry.settings().launcher().equals(Ec2Launches.LAUNCHER)
        || cluster.decisions().decisions(Math.max(1, last - DECISIONS + 1), last).stream()
            .anyMatch(decision -> decision.request().containsKey(Ec2Launches.TEMPLATE));
  }

  /**
   * Looks whether there are any.
   *
   * @throws CloudKonException if there are; names them
   */
  public void refuse() {
    List<String> left = existing();
    if (!left.isEmpty()) {
      String names = left.stream().limit(NAMED).collect(Collectors.joining(", "));
      throw new CloudKonException(
          "cluster '%s' is in use: %d instance%s left, %s%s; end them first, or with: cloudkon teardown -s %s --instances"
              .formatted(
                  cluster.name(),
                  left.size(),
                  left.size() == 1 ? " is" : "s are",
                  names,
                  left.size() > NAMED ? " and others" : "",
                  cluster.name()));
    }
  }

  /**
   * Ends all of them, and waits until they and their workers are gone.
   *
   * @return those that existed
   * @throws CloudKonException if they are still there after five minutes
   */
  public List<String> end() {
    List<String> left = existing();
    instances.terminate(left);
    Patience.until(
        ENDS_WITHIN,
        () -> listed().stream().allMatch(one -> one.state() == State.ENDED),
        () ->
            new CloudKonException(
                "instances of cluster '%s' have not ended within %d min; look at them in EC2, then try again"
                    .formatted(cluster.name(), ENDS_WITHIN.toMinutes())));
    Patience.until(
        SILENT_WITHIN,
        () -> !workersLive(Set.copyOf(left)),
        () ->
            new CloudKonException(
                "workers of ended instances of cluster '%s' are still heard of; try again"
                    .formatted(cluster.name())));
    return left;
  }

  private boolean workersLive(Set<String> ended) {
    try {
      return cluster.workers().list().stream()
          .anyMatch(worker ->
              ended.contains(worker.origin().instance())
                  && worker.livesAt(serviceMillis.getAsLong()));
    } catch (MissingResourceException e) {
      return false;
    }
  }

  private List<String> existing() {
    return listed().stream().filter(LaunchedInstance::exists).map(LaunchedInstance::id).toList();
  }

  private List<LaunchedInstance> listed() {
    return instances.list().stream().map(Instances.Listed::instance).toList();
  }
}
