package io.cloudkon.core.refusal;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.RequestQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The checks of a role at its start, each by a call that changes nothing: queues by their
 * attributes, tables by reads and by writes of something that never exists, and the bucket by a
 * read. Permissions that cannot be checked in this way, such as that to send to a queue or to
 * create a run, are reported when they are first refused.
 *
 * @param looks the calls, which are made concurrently
 * @param needed the tables without which the role does not start; other refusals are reported, and
 *     the role starts
 */
public record StartCheck(List<Runnable> looks, Set<String> needed) {
  private static final String NOTHING = "start-check";

  /** A decision of a provisioner that never has the lease. */
  private static final Decision UNDECIDED =
      new Decision(
          0, NOTHING, 0, 0, NOTHING, "", "", Map.of(), Decision.State.CLOSED, List.of(), "", 0);

  /** Copies the lists. */
  public StartCheck {
    looks = List.copyOf(looks);
    needed = Set.copyOf(needed);
  }

  /** The check of a command that only needs the cluster to exist. */
  public static StartCheck none() {
    return new StartCheck(List.of(), Set.of());
  }

  /** The check of a worker. */
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
            () -> cluster.decisions().leave(0, NOTHING),
            () -> ignore(cluster.hpc().ledger().counter()),
            () -> ignore(cluster.hpc().ledger().renewReservation(NOTHING, NOTHING, 0)),
            () -> cluster.hpc().ledger().removeWaiting(NOTHING, NOTHING),
            () -> ignore(cluster.runs().handIn(NOTHING, FinishedTasks.NONE)),
            () -> ignore(cluster.workers().list()),
            () -> cluster.workers().remove(NOTHING),
            blobs(cluster)),
        Set.of(Names.claims(cluster.name())));
  }

  /**
   * The check of a client that starts or resumes a run. The client itself checks the bucket if its
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

  /** The check of a provisioner that decides nothing, and only reads. */
  public static StartCheck ofDryRun(Cluster cluster) {
    return ofProvisioner(cluster, List.of());
  }

  /** The check of a provisioner. */
  public static StartCheck ofProvisioner(Cluster cluster) {
    return ofProvisioner(cluster, List.of(() -> ignore(cluster.decisions().intend(UNDECIDED))));
  }

  private static StartCheck ofProvisioner(Cluster cluster, List<Runnable> writes) {
    List<Runnable> looks = new ArrayList<>(writes);
    looks.add(depth(cluster.requests()));
    looks.add(depth(cluster.hpc().jobs()));
    looks.add(() -> ignore(cluster.decisions().provisioner()));
    looks.add(() -> ignore(cluster.decisions().decisions(0, 0)));
    looks.add(() -> ignore(cluster.workers().list()));
    looks.add(() -> ignore(cluster.hpc().ledger().view()));
    return new StartCheck(
        looks,
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

  /** Checks the bucket, which not every cluster has. */
  private static Runnable blobs(Cluster cluster) {
    return () -> {
      try {
        ignore(cluster.blobs().get(NOTHING));
      } catch (RefusedException e) {
        throw e;
      } catch (CloudKonException e) {
        // this is not a refusal
      }
    };
  }

  private static void ignore(Object unused) {
    // it only needs to exist
  }

  /**
   * Evaluates refusals, combined in one message.
   *
   * @return the message of a role that starts nevertheless; empty if nothing was refused
   * @throws CloudKonException if the role requires one of the refused permissions
   */
  public Optional<String> judge(List<RefusedException> refused) {
    if (refused.isEmpty()) {
      return Optional.empty();
    }
    CloudKonException all = RefusedException.inOne(refused);
    if (refused.stream().anyMatch(refusal -> needed.contains(refusal.resource()))) {
      throw all;
    }
    return Optional.of("not everything is allowed here: " + all.getMessage());
  }
}
