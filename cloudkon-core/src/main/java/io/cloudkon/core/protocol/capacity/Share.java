package io.cloudkon.core.protocol.capacity;

/**
 * Slots in the ledger under a lease: those that a worker contributes, or those that a gang takes.
 *
 * @param kind whether it belongs to a worker or a gang
 * @param id the id of the worker or gang
 * @param owner the worker that renews it: itself, or the gang's manager
 * @param slots the number of slots; 1 or more
 * @param job the bundle id of the job for which a gang was admitted; empty for a worker
 * @param leaseEnd the end of the lease; service clock, epoch milliseconds. Any worker may sweep the
 *     share after this time plus the margin
 */
public record Share(Kind kind, String id, String owner, int slots, String job, long leaseEnd) {

  /** Whether slots are contributed or taken. */
  public enum Kind {
    WORKER,
    GANG
  }

  public Share {
    if (slots < 1) {
      throw new IllegalArgumentException(
          "%s %s has 1 slot or more, not %d".formatted(kind, id, slots));
    }
  }

  /** A share with a worker's slots. */
  public static Share ofWorker(String worker, int slots, long leaseEnd) {
    return new Share(Kind.WORKER, worker, worker, slots, "", leaseEnd);
  }

  /** A share with a gang's slots. */
  public static Share ofGang(String gang, String manager, int slots, String job, long leaseEnd) {
    return new Share(Kind.GANG, gang, manager, slots, job, leaseEnd);
  }

  /** Its key in the ledger. */
  public String key() {
    return key(kind, id);
  }

  /** The key of the share of this kind and id. */
  public static String key(Kind kind, String id) {
    return switch (kind) {
      case WORKER -> "worker/" + id;
      case GANG -> "gang/" + id;
    };
  }

  /**
   * By how much adding the share raises the cluster's free slots; removing it lowers them by the
   * same number.
   */
  public int freed() {
    return kind == Kind.WORKER ? slots : -slots;
  }

  /** The same share with a later lease. */
  public Share until(long end) {
    return new Share(kind, id, owner, slots, job, end);
  }
}
