package io.cloudkon.core.protocol.gang;

/** The largest number of ranks that a job may have, and the reason for it. */
public sealed interface RankLimit {

  /** The maximum number of ranks. */
  int ranks();

  /** The option {@code --max-ranks}. */
  record Option(int ranks) implements RankLimit {}

  /** The slots of the live workers. */
  record LiveWorkers(int ranks) implements RankLimit {}

  /**
   * The largest fleet that there can be with what the provisioner may launch.
   *
   * @param ranks the number of its slots
   * @param workers the maximum number of workers
   * @param slotsEach the slots of each launched worker
   * @param leaseEnd the end of the provisioner's lease, until which this limit is valid; service
   *     clock, epoch milliseconds
   * @param looked whether the provisioner has looked at the cluster since it took its lease; before
   *     that, its number leaves out workers that others started
   * @param refusal why no more workers can be launched for now; empty if they can
   */
  record Fleet(int ranks, int workers, int slotsEach, long leaseEnd, boolean looked, String refusal)
      implements RankLimit {
    /** The limit of a cluster without a provisioner. */
    public static final Fleet NONE = new Fleet(0, 0, 0);

    /** The fleet of a provisioner that has looked at the cluster. */
    public Fleet(int ranks, int workers, int slotsEach, long leaseEnd) {
      this(ranks, workers, slotsEach, leaseEnd, true, "");
    }

    /** A fleet of launched workers only. */
    public Fleet(int workers, int slotsEach, long leaseEnd) {
      this(
          (int) Math.min(Integer.MAX_VALUE, (long) workers * slotsEach),
          workers,
          slotsEach,
          leaseEnd);
    }

    /** Whether all of its slots belong to launched workers. */
    public boolean launchedOnly() {
      return ranks == Math.min(Integer.MAX_VALUE, (long) workers * slotsEach);
    }

    /** Whether nothing follows from it yet, because its provisioner is about to look. */
    boolean isOpenAt(long millis) {
      return !looked && livesAt(millis);
    }

    /** Whether the limit is valid at this time of the service's clock. */
    boolean livesAt(long millis) {
      return leaseEnd > millis;
    }
  }
}
