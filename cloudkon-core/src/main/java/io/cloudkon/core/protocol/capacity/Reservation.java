package io.cloudkon.core.protocol.capacity;

import java.util.Map;

/**
 * The cluster's one reservation: slots that fall free are kept empty for its job.
 *
 * @param job its bundle's id
 * @param ranks how many slots it needs
 * @param worker who holds its message, and renews this
 * @param admitted whether its gang is admitted and assembles: then the slots are in the gang's
 *     share, and no longer in {@code reserved}
 * @param held how many slots each worker keeps empty for it; never more than {@code ranks} in all
 * @param leaseEnd service clock, epoch milliseconds
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

  /** A new one, for which nothing is kept yet. */
  public static Reservation of(String job, int ranks, String worker, long leaseEnd) {
    return new Reservation(job, ranks, worker, false, Map.of(), leaseEnd);
  }

  /** The same, once its gang is admitted. */
  Reservation nowAdmitted() {
    return new Reservation(job, ranks, worker, true, held, leaseEnd);
  }

  /** Slots that are kept for it, of all workers. */
  public int heldInAll() {
    return held.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Slots that this worker keeps for it. */
  public int heldBy(String keeper) {
    return held.getOrDefault(keeper, 0);
  }
}
