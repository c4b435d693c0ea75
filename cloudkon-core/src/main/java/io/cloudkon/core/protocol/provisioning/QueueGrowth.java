package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Computes by how much the queues grew since the last reading, and how many workers {@link
 * Policy.Growth} wants for it. As published, the first reading counts from zero. If a fleet was
 * already launched, an earlier provisioner has counted the existing messages, and a restart must
 * not count them again. Not thread safe.
 */
final class QueueGrowth {
  private final Policy policy;
  private long last = -1;

  /**
   * The size of the fleet after the last step, without the workers that have ended since: they were
   * idle, most likely, and only new messages are a reason for others. 0 if the queues have shrunk.
   */
  private long size;

  /** The ids of the workers that were live at the last reading. */
  private Set<String> live = Set.of();

  QueueGrowth(Policy policy) {
    this.policy = policy;
  }

  /**
   * The growth at one reading.
   *
   * @param messages the number of messages by which the queues grew; negative if they shrank
   * @param missing the number of workers that are missing to the size after the last step, which
   *     could not be launched, or only in part
   */
  record Grown(long messages, long missing) {}

  /**
   * Examines a reading.
   *
   * @param withdrawn the tokens of intended decisions that are not carried out again, so that the
   *     messages for which they were made are not served yet
   * @param working the live workers
   * @param booting the number of workers that are still expected; one that never registers is
   *     replaced
   */
  Grown look(FleetObservation seen, Set<String> withdrawn, List<WorkerEntry> working, int booting) {
    int present = working.size() + booting;
    long length = WorkloadEstimate.total(seen.requests()) + WorkloadEstimate.total(seen.jobs());
    long messages = length - (last < 0 ? first(seen, withdrawn, length) : last);
    last = length;
    long ended = ended(working);
    size = messages < 0 ? 0 : Math.max(0, size - ended);
    if (policy instanceof Policy.Growth growth && messages > growth.threshold()) {
      // Not the sum of the steps that were missed: a cool-down would only defer them.
      size = Math.max(size, (long) present + growth.step());
    }
    return new Grown(messages, Math.max(0, size - present));
  }

  /** The number of workers that have ended since the last reading. */
  private long ended(List<WorkerEntry> working) {
    Set<String> before = live;
    live = working.stream().map(WorkerEntry::id).collect(Collectors.toSet());
    return before.stream().filter(id -> !live.contains(id)).count();
  }

  private static long first(FleetObservation seen, Set<String> withdrawn, long length) {
    boolean launched =
        seen.launches().stream().anyMatch(launch -> !withdrawn.contains(launch.token()))
            || seen.workers().stream()
                .anyMatch(worker -> worker.origin().launched() && worker.livesAt(seen.atMillis()));
    return launched ? length : 0;
  }
}
