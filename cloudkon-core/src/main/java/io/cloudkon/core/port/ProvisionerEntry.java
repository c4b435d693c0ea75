package io.cloudkon.core.port;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Outputs;
import io.cloudkon.core.protocol.gang.RankLimit;
import io.cloudkon.core.protocol.lease.SeenLease;
import java.util.Map;

/**
 * The entry of the cluster's active provisioner: its lease, its observations and its targets, for
 * display and for workers. Immutable.
 *
 * @param holder the id of the process that decides, new for each process
 * @param host the host and process on which it runs, for display
 * @param leaseEnd the end of its lease; service clock, epoch milliseconds. At or before {@code
 *     updatedMillis} if it has released the lease
 * @param settings its settings
 * @param nextDecision the number of the next decision, which grows by one with each decision, also
 *     when the holder changes
 * @param oldestOpen no decision below this number is open
 * @param fleet the state of the fleet at its last reading
 * @param updatedMillis when the entry was written; service clock, epoch milliseconds
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
   * The settings of a provisioner that others need to know.
   *
   * @param launcher its launcher's name: {@code process} or {@code ec2}
   * @param min the number of workers that stay even if they are idle
   * @param max the maximum number of workers
   * @param slots the slots of a launched worker
   * @param takes the work that a launched worker accepts
   */
  public record Settings(String launcher, int min, int max, int slots, WorkerTakes takes) {}

  /**
   * The state of the fleet.
   *
   * @param wanted the number of wanted workers
   * @param live the number of live workers
   * @param booting the number of workers that were launched and have not registered yet
   * @param bootingSince when the oldest of these was launched; service clock, epoch milliseconds; 0
   *     if none boots
   * @param reason why it wants that number, or cannot have it, as a clause; cut at {@link
   *     Limits#DECISION_TEXT_CHARS}
   * @param failures the number of failed launches since it has held the lease, by reason
   * @param usdPerHour the current cost of the fleet in USD an hour, with instances that exist
   *     without a live worker
   * @param spentUsd the cost in USD of the cluster's launched workers since {@code spentSince}
   * @param reachable the maximum number of slots that HPC jobs can get: those of live workers that
   *     stay, plus those of all workers that may still be launched; {@link #UNKNOWN} if not given
   * @param refusal the launcher's message if it has refused launches for so long that {@code
   *     reachable} counts none; empty otherwise. Cut at {@link Limits#DECISION_TEXT_CHARS}
   * @param spentSince when this provisioner took the lease; service clock, epoch milliseconds; 0 if
   *     not given
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
      int reachable,
      String refusal,
      long spentSince) {
    /**
     * The number of slots if the provisioner has not read the cluster yet, or has an older version.
     */
    public static final int UNKNOWN = -1;

    /** The state before the first reading. */
    public static final Fleet UNSEEN = new Fleet(0, 0, 0, 0, "", Map.of(), 0, 0, UNKNOWN);

    /** The state of a fleet whose launches are not refused. */
    public Fleet(
        int wanted,
        int live,
        int booting,
        long bootingSince,
        String reason,
        Map<String, Long> failures,
        double usdPerHour,
        double spentUsd,
        int reachable) {
      this(
          wanted,
          live,
          booting,
          bootingSince,
          reason,
          failures,
          usdPerHour,
          spentUsd,
          reachable,
          "",
          0);
    }

    public Fleet {
      refusal = Outputs.head(refusal, Limits.DECISION_TEXT_CHARS);
      reason = Outputs.head(reason, Limits.DECISION_TEXT_CHARS);
      failures = Map.copyOf(failures);
    }

    /**
     * The same state after {@code more} workers were launched at that time; {@code usd} is the new
     * total price per hour.
     */
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
          reachable,
          refusal,
          spentSince);
    }

    /** The same state with this reason. */
    public Fleet withReason(String why) {
      return new Fleet(
          wanted,
          live,
          booting,
          bootingSince,
          why,
          failures,
          usdPerHour,
          spentUsd,
          reachable,
          refusal,
          spentSince);
    }

    /** The same state with this total cost since that time. */
    public Fleet withSpent(double usd, long sinceMillis) {
      return new Fleet(
          wanted,
          live,
          booting,
          bootingSince,
          reason,
          failures,
          usdPerHour,
          usd,
          reachable,
          refusal,
          sinceMillis);
    }
  }

  /** The maximum number of slots that HPC jobs can get: no job can have more ranks. */
  public int mostSlots() {
    return fleet.reachable() != Fleet.UNKNOWN
        ? fleet.reachable()
        : (int) Math.min(Integer.MAX_VALUE, (long) settings.max() * settings.slots());
  }

  /**
   * The limit of its fleet on the number of a job's ranks; zero if its workers take no part in
   * jobs.
   */
  public RankLimit.Fleet rankLimit() {
    return settings.takes().jobs()
        ? new RankLimit.Fleet(
            mostSlots(),
            settings.max(),
            settings.slots(),
            leaseEnd,
            fleet.reachable() != Fleet.UNKNOWN,
            fleet.refusal())
        : RankLimit.Fleet.NONE;
  }

  /** The same entry with this number for the next decision. */
  public ProvisionerEntry withNextDecision(long number) {
    return new ProvisionerEntry(
        holder, host, leaseEnd, settings, number, oldestOpen, fleet, updatedMillis);
  }

  /** The lease as it is stored. */
  public SeenLease lease() {
    return new SeenLease(holder, leaseEnd, updatedMillis);
  }

  /** The time after which its author certainly did not hold the lease; service clock. */
  public long heldUntil() {
    return Math.max(leaseEnd, updatedMillis);
  }

  /** Whether its holder's lease is valid at this time of the service's clock. */
  public boolean livesAt(long millis) {
    return leaseEnd > millis;
  }

  /** Whether this entry may replace the stored one; see {@link DecisionStore#renew}. */
  public boolean mayReplace(ProvisionerEntry current) {
    return current.holder().equals(holder) && current.updatedMillis() < updatedMillis;
  }

  /** Whether the store already contains this entry, because its answer was lost. */
  public boolean isShownBy(ProvisionerEntry current) {
    return current.holder().equals(holder) && current.updatedMillis() == updatedMillis;
  }
}
