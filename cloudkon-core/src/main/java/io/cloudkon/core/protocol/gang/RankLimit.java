package io.cloudkon.core.protocol.gang;

/** The largest number of ranks that a job may have, and the reason for it. */
public sealed interface RankLimit {

  /** The number. */
  int ranks();

  /** The option {@code --max-ranks}. */
  record Option(int ranks) implements RankLimit {}

  /** The slots of the workers that live. */
  record LiveWorkers(int ranks) implements RankLimit {}

  /**
   * The largest fleet that there can be with what the provisioner may launch.
   *
   * @param ranks its slots
   * @param workers how many workers the provisioner lets there be
   * @param slotsEach slots of each that it launches
   * @param leaseEnd until when the provisioner's lease runs, and this holds; service clock, epoch
   *     milliseconds
   */
  record Fleet(int ranks, int workers, int slotsEach, long leaseEnd) implements RankLimit {
    /** Of a cluster without a provisioner. */
    public static final Fleet NONE = new Fleet(0, 0, 0);

    /** A fleet of launched workers only. */
    public Fleet(int workers, int slotsEach, long leaseEnd) {
      this(
          (int) Math.min(Integer.MAX_VALUE, (long) workers * slotsEach),
          workers,
          slotsEach,
          leaseEnd);
    }

    /** Whether launched workers alone have all of its slots. */
    public boolean launchedOnly() {
      return ranks == Math.min(Integer.MAX_VALUE, (long) workers * slotsEach);
    }

    /** Whether a provisioner could launch it at this moment of the service's clock. */
    boolean livesAt(long millis) {
      return leaseEnd > millis;
    }
  }
}
