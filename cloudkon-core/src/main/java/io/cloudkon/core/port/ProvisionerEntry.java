package io.cloudkon.core.port;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Outputs;
import io.cloudkon.core.protocol.gang.RankLimit;
import io.cloudkon.core.protocol.lease.SeenLease;
import java.util.Map;

/**
 * The cluster's one provisioner: the lease that says which process decides, and what it found and
 * wants, for people and for workers. Immutable.
 *
 * @param holder the process that decides: an id, fresh for each process
 * @param host where it runs, for people: host and process
 * @param leaseEnd until when its lease runs; service clock, epoch milliseconds. At or before {@code
 *     updatedMillis}: it let the lease go
 * @param settings what it was told
 * @param nextDecision the number of the next decision; grows by one with each, across holders
 * @param oldestOpen no decision below this number is open
 * @param fleet how the fleet stands, as it last saw it
 * @param updatedMillis service clock, epoch milliseconds
 */
public record ProvisionerEntry(
    String holder,
    String host,
    long leaseEnd,
    Settings settings,
    long nextDecision,
    long oldestOpen,
    Fleet fleet,
    long updatedMillis) {

  /**
   * What a provisioner was told, as far as others must know it.
   *
   * @param launcher its launcher's name: {@code process} or {@code ec2}
   * @param min so many workers stay although they are idle
   * @param max never more workers than this
   * @param slots slots of a worker that it launches
   * @param takes what such a worker takes on
   */
  public record Settings(String launcher, int min, int max, int slots, WorkerTakes takes) {}

  /**
   * How the fleet stands.
   *
   * @param wanted workers that it wants
   * @param live workers that live
   * @param booting workers that were launched and have not registered yet
   * @param bootingSince when the oldest of these was launched; service clock, epoch milliseconds; 0
   *     if none boots
   * @param reason why it wants so many, or cannot have them: a clause; cut at {@link
   *     Limits#DECISION_TEXT_CHARS}
   * @param failures launches that failed since it holds the lease, by reason
   * @param usdPerHour what the fleet costs now
   * @param spentUsd what the workers of this provisioner have cost since it holds the lease
   * @param reachable the most slots that HPC jobs can get: those of live workers that stay, and of
   *     all that may be launched besides; {@link #UNKNOWN} if it was not said
   */
  public record Fleet(
      int wanted,
      int live,
      int booting,
      long bootingSince,
      String reason,
      Map<String, Long> failures,
      double usdPerHour,
      double spentUsd,
      int reachable) {
    /**
     * Slots of which a provisioner that has not looked yet, or of an older version, says nothing.
     */
    public static final int UNKNOWN = -1;

    /** Nothing was seen yet. */
    public static final Fleet UNSEEN = new Fleet(0, 0, 0, 0, "", Map.of(), 0, 0, UNKNOWN);

    public Fleet {
      reason = Outputs.head(reason, Limits.DECISION_TEXT_CHARS);
      failures = Map.copyOf(failures);
    }

    /** The same, after so many more were launched at this time, at this price an hour in all. */
    public Fleet withBooting(int more, long millis, double usd) {
      return new Fleet(
          wanted,
          live,
          booting + more,
          booting == 0 && more > 0 ? millis : bootingSince,
          reason,
          failures,
          usdPerHour + usd,
          spentUsd,
          reachable);
    }

    /** The same for this reason. */
    public Fleet withReason(String why) {
      return new Fleet(
          wanted, live, booting, bootingSince, why, failures, usdPerHour, spentUsd, reachable);
    }

    /** The same, which has cost so much. */
    public Fleet withSpent(double usd) {
      return new Fleet(
          wanted, live, booting, bootingSince, reason, failures, usdPerHour, usd, reachable);
    }
  }

  /** The most slots that HPC jobs can get: no job can have more ranks. */
  public int mostSlots() {
    return fleet.reachable() != Fleet.UNKNOWN
        ? fleet.reachable()
        : (int) Math.min(Integer.MAX_VALUE, (long) settings.max() * settings.slots());
  }

  /** The limit that its fleet sets to a job's ranks; none if its workers take no part in jobs. */
  public RankLimit.Fleet rankLimit() {
    return settings.takes().jobs()
        ? new RankLimit.Fleet(mostSlots(), settings.max(), settings.slots(), leaseEnd)
        : RankLimit.Fleet.NONE;
  }

  /** The same, whose next decision has this number. */
  public ProvisionerEntry withNextDecision(long number) {
    return new ProvisionerEntry(
        holder, host, leaseEnd, settings, number, oldestOpen, fleet, updatedMillis);
  }

  /** Its lease, as it stands there. */
  public SeenLease lease() {
    return new SeenLease(holder, leaseEnd, updatedMillis);
  }

  /** Whether its holder decides at this moment of the service's clock. */
  public boolean livesAt(long millis) {
    return leaseEnd > millis;
  }

  /** Whether what stands in the store may be replaced by this; see {@link DecisionStore#renew}. */
  public boolean mayReplace(ProvisionerEntry current) {
    return current.holder().equals(holder) && current.updatedMillis() < updatedMillis;
  }

  /** Whether the store shows this very entry: its answer was lost. */
  public boolean isShownBy(ProvisionerEntry current) {
    return current.holder().equals(holder) && current.updatedMillis() == updatedMillis;
  }
}
