package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;

/**
 * Computes by how much the queues grew since the last reading, and how many workers {@link
 * Policy.Growth} wants for it. As published, the first reading counts from zero. If a fleet was
 * already launched, an earlier provisioner has counted the existing messages, and a restart must
 * not count them again. Not thread safe.
 */
final class QueueGrowth {
  private final Policy policy;
  private long last = -1;

  /** The size of the fleet after the last step; 0 if the queues have shrunk since. */
  private long size;

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
   * @param present the number of live and booting workers
   */
  Grown look(FleetObservation seen, int present) {
    long length = WorkloadEstimate.total(seen.requests()) + WorkloadEstimate.total(seen.jobs());
    long messages = length - (last < 0 ? first(seen, length) : last);
    last = length;
    if (messages < 0) {
      size = 0;
    }
    if (policy instanceof Policy.Growth growth && messages > growth.threshold()) {
      // Not the sum of the steps that were missed: a cool-down would only defer them.
      size = Math.max(size, (long) present + growth.step());
    }
    return new Grown(messages, Math.max(0, size - present));
  }

  private static long first(FleetObservation seen, long length) {
    boolean launched =
        !seen.launches().isEmpty()
            || seen.workers().stream()
                .anyMatch(worker -> worker.origin().launched() && worker.livesAt(seen.atMillis()));
    return launched ? length : 0;
  }
}
