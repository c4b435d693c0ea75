package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Creates and removes a cluster's queues and tables. */
public final class AwsSetup {
  private final AwsCloud cloud;
  private final SqsAdmin queues;
  private final DynamoAdmin tables;

  AwsSetup(AwsCloud cloud) {
    this.cloud = cloud;
    this.queues = new SqsAdmin(cloud.clients().sqs());
    this.tables = new DynamoAdmin(cloud.clients().dynamo());
  }

  /**
   * Creates what the cluster lacks and leaves what it has; queues get the attributes of a new one.
   * Returns when all of it can be used.
   *
   * @return the names of the queues and tables
   */
  public List<String> setup(String cluster) {
    Names.checkCluster(cluster);
    List<String> tableNames = tables(cluster);
    tableNames.forEach(tables::create); // all at once: each takes a while to become active
    List<String> queueNames = queues(cluster);
    queueNames.forEach(queue -> queues.align(queue, queues.create(queue)));
    tableNames.forEach(tables::awaitActive);
    List<String> all = new ArrayList<>(queueNames);
    all.addAll(tableNames);
    return List.copyOf(all);
  }

  /**
   * Removes the cluster's queues, response queues and tables, with what they hold; what does not
   * exist is no failure.
   *
   * @return the names of what was removed
   * @throws CloudKonException if a client still collects a run or a worker lives; nothing was
   *     removed then
   */
  public List<String> teardown(String cluster) {
    Names.checkCluster(cluster);
    refuseWhileInUse(cluster);
    return removeAll(cluster);
  }

  /** Removes everything, in use or not. */
  List<String> removeAll(String cluster) {
    List<String> removed = new ArrayList<>();
    SqsQueues known = new SqsQueues(cloud.clients());
    List<String> queueNames = new ArrayList<>(queues(cluster));
    queueNames.addAll(queues.list(Names.responsePrefix(cluster)));
    for (String queue : queueNames) {
      Optional<String> url = existing(() -> known.url(queue));
      url.ifPresent(there -> {
        queues.delete(queue, there);
        removed.add(queue);
      });
    }
    List<String> tableNames = tables(cluster);
    tableNames.stream().filter(tables::delete).forEach(removed::add);
    tableNames.forEach(tables::awaitGone);
    return List.copyOf(removed);
  }

  private void refuseWhileInUse(String cluster) {
    Cluster ports = cloud.cluster(cluster);
    long now = cloud.time().serviceMillis();
    List<RunEntry> runs =
        existing(() -> ports.runs().list()).orElse(List.of()).stream()
            .filter(run -> run.state() == RunEntry.State.OPEN && run.leaseEnd() > now)
            .toList();
    if (!runs.isEmpty()) {
      throw new CloudKonException(
          "cluster '%s' is in use: run %s is open; wait for its client to end, or stop it (one that died lets go within 15 s)"
              .formatted(cluster, runs.getFirst().run()));
    }
    List<WorkerEntry> workers =
        existing(() -> ports.workers().list()).orElse(List.of()).stream()
            .filter(worker -> worker.livesAt(now))
            .toList();
    if (!workers.isEmpty()) {
      throw new CloudKonException(
          "cluster '%s' is in use: %d worker(s) live, %s among them; stop them first"
              .formatted(cluster, workers.size(), workers.getFirst().id()));
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
    return List.of(cluster, Names.hpc(cluster), Names.dead(cluster));
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
