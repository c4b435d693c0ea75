package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.List;
import java.util.Set;

/**
 * The state of a cluster as a provisioner reads it. Immutable.
 *
 * @param atMillis when it was read; service clock, epoch milliseconds
 * @param runs the runs that have not ended
 * @param requests the number of messages (bundles) in the request queue; up to a minute old
 * @param jobs the number of messages in the HPC queue; up to a minute old
 * @param waiting the HPC jobs that wait for slots
 * @param workers the workers' entries, including those of recently dead workers
 * @param launches the open decisions, whose workers may still register
 * @param foreign the tokens of decisions that belong to the launcher of another machine, so that
 *     this one can neither make their calls nor list their instances
 * @param instances the instances that the launcher lists, including recently ended ones; one that
 *     was just launched may be missing, so absence proves nothing
 */
public record FleetObservation(
    long atMillis,
    List<RunEntry> runs,
    QueueDepth requests,
    QueueDepth jobs,
    List<Waiting> waiting,
    List<WorkerEntry> workers,
    List<Decision> launches,
    Set<String> foreign,
    List<LaunchedInstance> instances) {

  public FleetObservation {
    runs = List.copyOf(runs);
    waiting = List.copyOf(waiting);
    workers = List.copyOf(workers);
    launches = List.copyOf(launches);
    foreign = Set.copyOf(foreign);
    instances = List.copyOf(instances);
  }
}
