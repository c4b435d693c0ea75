package io.cloudkon.client.explain;

import io.cloudkon.client.status.HpcStatus;
import io.cloudkon.client.status.ProvisionerStatus;
import io.cloudkon.client.status.ProvisionerText;
import io.cloudkon.client.status.RunProgress;
import io.cloudkon.client.status.RunStatus;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The facts of the cluster that bear on one run. Immutable.
 *
 * @param cluster its name
 * @param run its current entry
 * @param queue the bundles of all runs
 * @param workers workers that wrote their entry lately
 * @param silent workers that died
 * @param dead this run's dead letters
 * @param hpc HPC jobs of all runs
 * @param provisioner the status of the provisioner, which launches workers
 * @param nowMillis when this was read; service clock, epoch milliseconds
 */
public record RunSnapshot(
    String cluster,
    RunEntry run,
    QueueDepth queue,
    List<WorkerEntry> workers,
    List<WorkerEntry> silent,
    List<Dead> dead,
    HpcStatus hpc,
    ProvisionerStatus provisioner,
    long nowMillis) {

  /**
   * A dead letter.
   *
   * @param tasks the ordinals of its tasks; none where it cannot be read
   */
  public record Dead(String id, Positions tasks, String reason) {}

  /** The status of the run. */
  RunStatus standing() {
    return RunStatus.of(run, nowMillis);
  }

  /** The progress of the run. */
  RunProgress progress() {
    List<WorkerEntry> all = new ArrayList<>(workers);
    all.addAll(silent);
    return RunProgress.of(run, all, nowMillis);
  }

  /** Workers that take work: those that live and do not drain. */
  List<WorkerEntry> taking() {
    return workers.stream().filter(WorkerEntry::takesWork).toList();
  }

  /** The number of workers that died lately, so that the work they held may still wait. */
  long diedLately() {
    return silent.stream().filter(worker -> worker.diedLatelyAt(nowMillis)).count();
  }

  /** Advice for the case that no worker takes the run's tasks, or its jobs. */
  String help(boolean job) {
    return ProvisionerText.help(provisioner, cluster, run.remaining().kinds(), job);
  }

  /** A clause that says what the client does with the tasks that are not sent yet. */
  String sending() {
    return run.remaining().priority().isEmpty()
        ? "is sending"
        : "holds tasks back because cluster %s is fair, and sends more as others finish"
            .formatted(cluster);
  }

  /** The command that resumes the run. */
  String resume() {
    return RunStatus.resume(cluster, run.run());
  }
}
