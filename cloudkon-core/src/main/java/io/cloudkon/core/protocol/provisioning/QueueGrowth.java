package io.cloudkon.core.protocol.provisioning;

/**
 * Computes by how much the queues grew since the last reading. As published, the first reading
 * counts from zero. If a fleet was already launched, an earlier provisioner has counted the
 * existing messages, and a restart must not count them again. Not thread safe.
 */
final class QueueGrowth {
  private long last = -1;

  long look(FleetObservation seen) {
    long length = WorkloadEstimate.total(seen.requests()) + WorkloadEstimate.total(seen.jobs());
    long before = last < 0 ? first(seen, length) : last;
    last = length;
    return length - before;
  }

  private static long first(FleetObservation seen, long length) {
    boolean launched =
        !seen.launches().isEmpty()
            || seen.workers().stream()
                .anyMatch(worker -> worker.origin().launched() && worker.livesAt(seen.atMillis()));
    return launched ? length : 0;
  }
}
