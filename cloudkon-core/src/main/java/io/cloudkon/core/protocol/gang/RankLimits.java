package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Computes how many ranks a job may have, from the last readings of the workers and the
 * provisioner.
 */
final class RankLimits {
  /**
   * After an outage the whole fleet is swept from the ledger. Each worker detects this by a renewal
   * and then returns within a lease. This worker's own share shows best since when the outage is
   * over; for three leases after its return, the other workers count as before.
   */
  private static final long SWEPT_MILLIS = 45_000;

  private final GangSettings settings;

  /** The slots of the live workers at the last reading of the ledger; negative before the first. */
  private int liveSlots = -1;

  /** The highest number that was read recently, and when; monotonic milliseconds. */
  private int mostSlots;

  private long mostSeenAt;

  /** The fleet that a provisioner could launch at the last reading; null before the first. */
  private RankLimit.@Nullable Fleet launchable;

  /** The time at which both were last read one after the other. */
  private Moment judged = new Moment(0, 0);

  RankLimits(GangSettings settings) {
    this.settings = settings;
  }

  /**
   * Records a reading of the whole ledger and, unless it is null, of the fleet that may be
   * launched. The fleet of a provisioner that has not looked yet is as good as none read.
   */
  void viewed(LedgerView seen, RankLimit.@Nullable Fleet fleet, Moment now) {
    liveSlots = seen.liveSlots(now.service());
    if (liveSlots >= mostSlots || now.mono() - mostSeenAt >= SWEPT_MILLIS) {
      mostSlots = liveSlots;
      mostSeenAt = now.mono();
    } else if (!seen.hasLive(settings.worker(), now.service())) {
      mostSeenAt = now.mono();
    }
    if (fleet != null && !fleet.isOpenAt(now.service())) {
      launchable = fleet;
      judged = now;
    }
  }

  int liveSlots() {
    return liveSlots;
  }

  /** The time of the readings on which the limit is based; monotonic milliseconds. */
  long judgedAt() {
    return judged.mono();
  }

  /** Whether the readings themselves, at their time, showed too few slots for this many ranks. */
  boolean showedTooLarge(int ranks) {
    RankLimit limit = limit(judged);
    return limit != null && limit.ranks() < ranks;
  }

  /** The current limit; null while it is unknown. */
  @Nullable RankLimit limit(Moment now) {
    if (settings.maxRanks() > 0) {
      return new RankLimit.Option(settings.maxRanks());
    }
    RankLimit.Fleet fleet = launchable;
    if (fleet == null) {
      return null;
    }
    int slots = Math.max(liveSlots, mostSlots);
    // Also where a fleet of launched workers only is as large as it may be: more workers would not
    // help then, because the provisioner counts them. Where others start workers too, more may. If
    // launches are refused, the refusal is what a person must know.
    boolean full = fleet.launchedOnly() || !fleet.refusal().isEmpty();
    boolean bounds = fleet.ranks() > slots || (fleet.ranks() == slots && full);
    return bounds && fleet.livesAt(now.service()) ? fleet : new RankLimit.LiveWorkers(slots);
  }
}
