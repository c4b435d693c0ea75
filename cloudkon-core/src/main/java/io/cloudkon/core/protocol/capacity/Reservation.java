package io.cloudkon.core.protocol.capacity;

import java.util.Map;

/**
 * The cluster's reservation: slots that become free are kept empty for its job.
 *
 * @param job the id of the job's bundle
 * @param ranks the number of slots that it needs
 * @param worker the worker that holds its message and renews the reservation
 * @param admitted whether its gang is admitted and is being assembled; the slots are then in the
 *     gang's share and no longer in {@code reserved}
 * @param held how many slots each worker keeps empty for it; never more than {@code ranks} in all
 * @param leaseEnd the end of the lease; service clock, epoch milliseconds
 */
public record Reservation(
    String job,
    int ranks,
    String worker,
    boolean admitted,
    Map<String, Integer> held,
    long leaseEnd) {
  public Reservation {
    held = Map.copyOf(held);
  }

  /** A new reservation, for which no slots are kept yet. */
  public static Reservation of(String job, int ranks, String worker, long leaseEnd) {
    return new Reservation(job, ranks, worker, false, Map.of(), leaseEnd);
  }

  /** The same reservation after its gang is admitted. */
  Reservation nowAdmitted() {
    return new Reservation(job, ranks, worker, true, held, leaseEnd);
  }

  /** The number of slots that all workers keep for it. */
  public int heldInAll() {
    return held.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The number of slots that this worker keeps for it. */
  public int heldBy(String keeper) {
    return held.getOrDefault(keeper, 0);
  }
}
