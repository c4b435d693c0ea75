package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.process.Launcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates and removes a cluster's queues and tables, and the bucket. */
public final class AwsSetup {
  private final AwsCloud cloud;
  private final SqsAdmin queues;
  private final DynamoAdmin tables;
  private final BucketSetup buckets;
  private final OwningStack stacks;

  /**
   * The resources of a cluster.
   *
   * @param queuesAndTables their names
   * @param bucket the name of its bucket; empty if it has none
   */
  public record Resources(List<String> queuesAndTables, Optional<String> bucket) {
    public Resources {
      queuesAndTables = List.copyOf(queuesAndTables);
    }
  }

  AwsSetup(AwsCloud cloud) {
    this.cloud = cloud;
    this.queues = new SqsAdmin(cloud.clients().sqs());
    this.tables = new DynamoAdmin(cloud.clients().dynamo());
    this.buckets = new BucketSetup(cloud, queues);
    this.stacks = new OwningStack(cloud.clients().sqs());
  }

  /**
   * Creates missing resources of the cluster and keeps the existing ones; existing queues get the
   * attributes of new ones. Returns when everything can be used. A cluster works without a bucket:
   * if it cannot be created, a warning says why and what will not work.
   *
   * @return what the cluster has now, created or kept
   */
  public Resources setup(String cluster) {
    Names.checkCluster(cluster);
    List<String> tableNames = tables(cluster);
    tableNames.forEach(table -> create(cluster, table)); // all at once: each takes a while
    List<String> queueNames = queues(cluster);
    String url = "";
    for (String queue : queueNames) {
      url = queues.create(queue);
      queues.align(queue, url);
    }
    tableNames.forEach(tables::awaitUsable);
    if (stack(cluster).isEmpty()) { // a stack's table is changed by its template alone
      tables.addIndex(Names.runs(cluster), RunItems.NOT_ENDED);
    }
    List<String> all = new ArrayList<>(queueNames);
    all.addAll(tableNames);
    return new Resources(all, buckets.create(cluster, url));
  }

  private void create(String cluster, String table) {
    if (table.equals(Names.runs(cluster))) {
      tables.create(table, RunItems.NOT_ENDED);
    } else {
      tables.create(table);
    }
  }

  /** The CloudFormation stack that created the cluster; empty if there is none, or no queue. */
  public Optional<String> stack(String cluster) {
    SqsQueues known = new SqsQueues(cloud.clients());
    return existing(() -> known.url(cluster)).flatMap(url -> stacks.of(cluster, url));
  }

  /** Whether any of the cluster's queues or tables exists. */
  public boolean exists(String cluster) {
    return !urls(cluster).isEmpty() || tables(cluster).stream().anyMatch(tables::exists);
  }

  /**
   * Removes the cluster's queues, response queues and tables with their content, and its objects;
   * also the default bucket once it is unused. Resources that do not exist are not a failure.
   *
   * @param deletedStack the previously deleted stack that created the resources; null if there was
   *     none
   * @param machines ends the cluster's machines, or refuses while there are any; called when no run
   *     is open and no provisioner is active, which would launch others, and before live workers
   *     are checked, or a stack is refused that was not named
   * @return the names of the removed resources
   * @throws CloudKonException if a run is open, a provisioner is active, a worker is live, a table
   *     is protected from deletion or being changed, or the cluster belongs to a stack that was not
   *     named; nothing was removed then, but machines may have been ended
   * @throws io.cloudkon.core.error.UsageException if it belongs to another stack
   */
  public List<String> teardown(String cluster, @Nullable String deletedStack, Runnable machines) {
    Names.checkCluster(cluster);
    Optional<String> owner = stack(cluster);
    owner.ifPresent(stack -> OwningStack.checkNamed(cluster, stack, deletedStack));
    if (owner.isEmpty() || deletedStack != null) {
      refuseLasting(cluster);
    }
    refuseWhileWorkIsLeft(cluster);
    // Before the stack, which cannot be deleted while instances use its security group.
    machines.run();
    owner.ifPresent(stack -> OwningStack.checkDeleted(cluster, stack, deletedStack));
    refuseWhileWorkersLive(cluster);
    return removeAll(cluster);
  }

  /**
   * The clusters of this account and region, as the end of a message; empty if there are none, or
   * they cannot be listed.
   */
  public String clusters() {
    return ClusterNames.inWords(cloud.clients().sqs());
  }

  /** Removes everything, in use or not. */
  List<String> removeAll(String cluster) {
    Map<String, String> urls = urls(cluster);
    List<String> removed = new ArrayList<>();
    // before the queues, whose addresses determine the bucket
    urls.values().stream()
        .findFirst()
        .flatMap(url -> buckets.remove(cluster, url))
        .ifPresent(removed::add);
    urls.forEach((queue, url) -> {
      queues.delete(queue, url);
      removed.add(queue);
    });
    List<String> tableNames = tables(cluster);
    tableNames.stream().filter(tables::delete).forEach(removed::add);
    tableNames.forEach(tables::awaitGone);
    return List.copyOf(removed);
  }

  /** The addresses of the queues that exist, by name. */
  private Map<String, String> urls(String cluster) {
    SqsQueues known = new SqsQueues(cloud.clients());
    List<String> names = new ArrayList<>(queues(cluster));
    queues.list(Names.responsePrefix(cluster)).stream()
        .filter(queue -> Names.isClients(cluster, queue))
        .forEach(names::add);
    Map<String, String> urls = new LinkedHashMap<>();
    for (String queue : names) {
      existing(() -> known.url(queue)).ifPresent(url -> urls.put(queue, url));
    }
    return urls;
  }

  private void refuseWhileWorkIsLeft(String cluster) {
    Cluster ports = cloud.cluster(cluster);
    long now = cloud.time().serviceMillis();
    List<RunEntry> runs =
        existing(() -> ports.runs().list()).orElse(List.of()).stream()
            .filter(run -> run.state() == RunEntry.State.OPEN)
            .toList();
    if (!runs.isEmpty()) {
      String run = runs.getFirst().run();
      throw new CloudKonException(
          "cluster '%s' is in use: run %s is open; resume it with: %s client -s %s --resume %s, or cancel it with: %s cancel -s %s %s"
              .formatted(
                  cluster, run, Launcher.name(), cluster, run, Launcher.name(), cluster, run));
    }
    // Before the workers, because it would launch others in place of those that are stopped.
    existing(() -> ports.decisions().provisioner())
        .flatMap(entry -> entry)
        .filter(provisioner -> provisioner.livesAt(now))
        .ifPresent(provisioner -> {
          throw new CloudKonException(
              "cluster '%s' is in use: a provisioner is active, %s; stop it first"
                  .formatted(cluster, provisioner.host()));
        });
  }

  private void refuseWhileWorkersLive(String cluster) {
    Cluster ports = cloud.cluster(cluster);
    long now = cloud.time().serviceMillis();
    List<WorkerEntry> workers =
        existing(() -> ports.workers().list()).orElse(List.of()).stream()
            .filter(worker -> worker.livesAt(now))
            .toList();
    if (!workers.isEmpty()) {
      throw new CloudKonException(
          "cluster '%s' is in use: live workers: %d, including %s; stop them first; one that was killed counts as live for %d s"
              .formatted(
                  cluster,
                  workers.size(),
                  workers.getFirst().id(),
                  TimeUnit.MILLISECONDS.toSeconds(WorkerEntry.SILENT_MILLIS)));
    }
  }

  /**
   * Refuses tables that cannot be removed before anything is, because a cluster without queues but
   * with tables would be incomplete.
   */
  private void refuseLasting(String cluster) {
    for (String table : tables(cluster)) {
      if (tables.isChanging(table)) {
        throw new CloudKonException(
            "table '%s' cannot be deleted yet: it, or an index of it, is being created or changed; nothing was removed; try again in some minutes"
                .formatted(table));
      }
      if (tables.isProtected(table)) {
        throw new CloudKonException(
            ("table '%s' is protected from deletion; end that for each table of cluster '%s', with:"
                    + " aws dynamodb update-table --table-name %s --no-deletion-protection-enabled")
                .formatted(table, cluster, table));
      }
    }
  }

  private static <T> Optional<T> existing(Supplier<T> look) {
    try {
      return Optional.of(look.get());
    } catch (MissingResourceException e) {
      return Optional.empty();
    }
  }

  private static List<String> queues(String cluster) {
    return List.of(cluster, Names.hpc(cluster), Names.ranks(cluster), Names.dead(cluster));
  }

  private static List<String> tables(String cluster) {
    return List.of(
        Names.claims(cluster),
        Names.workers(cluster),
        Names.runs(cluster),
        Names.ledger(cluster),
        Names.decisions(cluster));
  }
}
