package io.cloudkon.core.protocol.capacity;

/**
 * A job that was received and for which the cluster has no room yet.
 *
 * @param job the id of the job's bundle
 * @param ranks the number of slots that it needs at once
 * @param since when it was first refused, or its last try ended if that is later; service clock,
 *     epoch milliseconds, never 0. Patience counts from this time, also if another worker receives
 *     it later
 * @param worker the worker that holds its message
 * @param leaseEnd the end of the lease; service clock, epoch milliseconds
 */
public record Waiting(String job, int ranks, long since, String worker, long leaseEnd) {
  public Waiting {
    if (since == 0) {
      throw new IllegalArgumentException(
          "job %s waits since 0, expected the time since which it waits".formatted(job));
    }
  }
}
