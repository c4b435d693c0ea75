package io.cloudkon.core.protocol.provisioning;

/**
 * By how much the queues grew since the last look, as published: the first reading counts from
 * zero. If a fleet was launched already, a provisioner before this one has counted what is there,
 * and a restart must not count it again. Not thread safe.
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
