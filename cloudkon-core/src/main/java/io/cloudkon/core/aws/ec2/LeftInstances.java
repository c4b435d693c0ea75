package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.aws.Ec2Service;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The instances that a cluster's provisioners have left, when the cluster is to be removed. Used by
 * one thread.
 */
public final class LeftInstances {
  /** EC2 ends an instance within a minute or two. */
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(5);

  /** How long a worker may count as live after its last entry, with a reserve. */
  private static final Duration SILENT_WITHIN = Duration.ofMillis(2 * WorkerEntry.SILENT_MILLIS);

  private static final Duration POLL = Duration.ofSeconds(2);
  private static final int DECISIONS = 500;
  private static final int NAMED = 10;

  private final Cluster cluster;
  private final Instances instances;
  private final TimeSource time;
  private final Consumer<Duration> pause;

  /**
   * An instance that makes no call yet.
   *
   * @param pause waits for the given time, or throws if that is not possible
   */
  public LeftInstances(Cluster cluster, Ec2Service ec2, TimeSource time, Consumer<Duration> pause) {
    this.cluster = cluster;
    this.instances = new Instances(ec2, cluster.name());
    this.time = time;
    this.pause = pause;
  }

  /**
   * Whether there may be instances, because a provisioner has launched on EC2 according to the
   * cluster's table. Otherwise EC2 need not be called or exist.
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
   * Checks whether there are such instances, or others with the cluster's tag. If one was launched
   * a moment ago, waits for up to a minute until EC2 lists it.
   *
   * @param stack the stack that the user has named as deleted, which the message repeats; null if
   *     none was named
   * @throws CloudKonException if there are instances; the message names them
   */
  public void refuse(@Nullable String stack) {
    OpenLaunches open = OpenLaunches.read(cluster, time.serviceMillis());
    boolean unused = await(ENDS_WITHIN, () -> !open.mayLack(launched(all()), time.serviceMillis()));
    List<Instances.Listed> all = all();
    refuseOthers(all);
    List<String> left = ids(launched(all).stream().filter(LaunchedInstance::exists));
    if (!left.isEmpty()) {
      throw new CloudKonException(
          "cluster '%s' is in use: %d instance%s left, %s; end them first, or with: %s teardown -s %s --instances%s"
              .formatted(
                  cluster.name(),
                  left.size(),
                  left.size() == 1 ? " is" : "s are",
                  names(left),
                  Launcher.name(),
                  cluster.name(),
                  stack == null ? "" : " --stack " + stack));
    }
  }

  /**
   * Refuses instances that no provisioner launched, because their owner may use them for something
   * else.
   */
  private void refuseOthers(Collection<Instances.Listed> all) {
    List<String> others =
        ids(
            all.stream()
                .filter(one -> !one.launched())
                .map(Instances.Listed::instance)
                .filter(LaunchedInstance::exists));
    if (!others.isEmpty()) {
      throw new CloudKonException(
          "cluster '%s' is in use: no provisioner launched %s, which %s the cluster's tag; end %s yourself, or remove the tag %s, then try again"
              .formatted(
                  cluster.name(),
                  names(others),
                  others.size() == 1 ? "has" : "have",
                  others.size() == 1 ? "it" : "them",
                  ClusterTags.CLUSTER));
    }
  }

  /**
   * Ends all instances that provisioners launched, and waits until they and their workers are gone.
   * An instance that EC2 does not list yet is ended as soon as EC2 knows it.
   *
   * @return the instances that existed
   * @throws CloudKonException if there are others with the cluster's tag, and then nothing was
   *     ended; or if some still exist after five minutes
   */
  public List<String> end() {
    refuseOthers(all());
    OpenLaunches open = OpenLaunches.read(cluster, time.serviceMillis());
    Set<String> ended = new LinkedHashSet<>();
    if (!await(ENDS_WITHIN, () -> ended(open, ended))) {
      throw new CloudKonException(
          "instances of cluster '%s' have not ended within %d min; look at them in EC2, then try again"
              .formatted(cluster.name(), ENDS_WITHIN.toMinutes()));
    }
    if (!await(SILENT_WITHIN, () -> !workersLive(ended))) {
      throw new CloudKonException(
          "workers of ended instances of cluster '%s' are still reporting; try again"
              .formatted(cluster.name()));
    }
    return List.copyOf(ended);
  }

  /** Ends the current instances; returns whether none is left and none can appear. */
  private boolean ended(OpenLaunches open, Set<String> ended) {
    List<LaunchedInstance> listed = launched(all());
    List<String> existing = ids(listed.stream().filter(LaunchedInstance::exists));
    instances.terminate(existing);
    ended.addAll(existing);
    open.unlisted(listed).stream()
        .filter(id -> !ended.contains(id) && instances.terminate(id))
        .forEach(ended::add);
    return listed.stream().allMatch(one -> one.state() == State.ENDED)
        && !open.mayLack(listed, time.serviceMillis());
  }

  /** Polls until the condition is true; false if it is still false at the end. */
  private boolean await(Duration within, BooleanSupplier reached) {
    long end = time.now().mono() + within.toMillis();
    while (!reached.getAsBoolean()) {
      if (time.now().mono() >= end) {
        return false;
      }
      pause.accept(POLL);
    }
    return true;
  }

  private boolean workersLive(Set<String> ended) {
    try {
      return cluster.workers().list().stream()
          .anyMatch(worker ->
              ended.contains(worker.origin().instance()) && worker.livesAt(time.serviceMillis()));
    } catch (MissingResourceException e) {
      return false;
    }
  }

  private List<Instances.Listed> all() {
    return instances.listAll();
  }

  private static List<LaunchedInstance> launched(Collection<Instances.Listed> all) {
    return all.stream().filter(Instances.Listed::launched).map(Instances.Listed::instance).toList();
  }

  private static List<String> ids(Stream<LaunchedInstance> some) {
    return some.map(LaunchedInstance::id).toList();
  }

  private static String names(List<String> ids) {
    return ids.stream().limit(NAMED).collect(Collectors.joining(", "))
        + (ids.size() > NAMED ? " and others" : "");
  }
}
