package io.cloudkon.core.refusal;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The checks of a role at its start, each by a call that changes nothing: queues by their
 * attributes, tables by reads and by writes whose condition never holds, the bucket by a read. What
 * cannot be seen so, such as whether a queue may be sent to, is told by its first refusal.
 *
 * @param looks to be made at once
 * @param needed tables without which the role does not begin; what else is refused is said, and the
 *     role begins
 */
public record StartCheck(List<Runnable> looks, Set<String> needed) {
  private static final String NOTHING = "start-check";

  /** Copies the lists. */
  public StartCheck {
    looks = List.copyOf(looks);
    needed = Set.copyOf(needed);
  }

  /** Of a command that looks at nothing more than whether the cluster is there. */
  public static StartCheck none() {
    return new StartCheck(List.of(), Set.of());
  }

  /** Of a worker. */
  public static StartCheck ofWorker(Cluster cluster) {
    return new StartCheck(
        List.of(
            depth(cluster.requests()),
            depth(cluster.hpc().jobs()),
            depth(cluster.hpc().ranks()),
            depth(cluster.dead()),
            () -> ignore(cluster.claims().read(List.of(NOTHING))),
            () -> ignore(cluster.claims().write(WatchedPorts.NEVER)),
            () -> ignore(cluster.decisions().provisioner()),
            () -> ignore(cluster.hpc().ledger().counter()),
            () -> ignore(cluster.workers().list()),
            blobs(cluster)),
        Set.of(Names.claims(cluster.name())));
  }

  /**
   * Of a client that sends, or goes on with, a run. It asks for the bucket by itself where its
   * tasks need it.
   */
  public static StartCheck ofClient(Cluster cluster) {
    return new StartCheck(
        List.of(
            depth(cluster.requests()),
            depth(cluster.hpc().jobs()),
            () -> ignore(cluster.claims().read(List.of(NOTHING))),
            () -> ignore(cluster.runs().cancel(NOTHING, 0)),
            () -> ignore(cluster.decisions().settings())),
        Set.of(Names.claims(cluster.name()), Names.runs(cluster.name())));
  }

  /** Of a provisioner. */
  public static StartCheck ofProvisioner(Cluster cluster) {
    return new StartCheck(
        List.of(
            depth(cluster.requests()),
            depth(cluster.hpc().jobs()),
            () -> ignore(cluster.decisions().provisioner()),
            () -> ignore(cluster.decisions().decisions(0, 0)),
            () -> ignore(cluster.workers().list()),
            () -> ignore(cluster.hpc().ledger().view())),
        Set.of(
            cluster.name(),
            Names.hpc(cluster.name()),
            Names.decisions(cluster.name()),
            Names.workers(cluster.name()),
            Names.ledger(cluster.name())));
  }

  private static Runnable depth(RequestQueue queue) {
    return () -> ignore(queue.depth());
  }

  /** Not every cluster has a bucket, and not every place an S3. */
  private static Runnable blobs(Cluster cluster) {
    return () -> {
      try {
        ignore(cluster.blobs().get(NOTHING));
      } catch (RefusedException e) {
        throw e;
      } catch (CloudKonException e) {
        // nothing is refused by that
      }
    };
  }

  private static void ignore(Object unused) {
    // that there is one is all
  }

  /**
   * What follows from refusals, all of them in one message.
   *
   * @return what is to be said of a role that begins all the same; empty if nothing was refused
   * @throws CloudKonException if the role cannot do without one of these
   */
  public Optional<String> judge(List<RefusedException> refused) {
    if (refused.isEmpty()) {
      return Optional.empty();
    }
    CloudKonException all = RefusedException.inOne(refused);
    if (refused.stream().anyMatch(refusal -> needed.contains(refusal.resource()))) {
      throw all;
    }
    return Optional.of("not all is allowed here: " + all.getMessage());
  }
}
