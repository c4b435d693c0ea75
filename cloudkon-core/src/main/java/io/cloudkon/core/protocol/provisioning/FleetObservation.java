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
 * A cluster as a provisioner sees it at one moment. Immutable.
 *
 * @param atMillis when; service clock, epoch milliseconds
 * @param runs the runs that are not over
 * @param requests messages in the request queue: bundles; up to a minute old
 * @param jobs messages in the HPC queue; likewise
 * @param waiting HPC jobs that wait for slots
 * @param workers what the workers say of themselves, those that died lately among them
 * @param launches decisions that are open: something of them may still come up
 * @param foreign tokens of those whose launcher is another machine's, so that this one can neither
 *     make their calls nor list their instances
 * @param instances what the launcher lists, instances that ended lately among them; one that was
 *     just launched may be missing, so absence proves nothing
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
