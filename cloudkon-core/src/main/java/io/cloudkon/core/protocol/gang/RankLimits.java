package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * Computes how many ranks a job may have, by what was read last of the workers and the provisioner.
 */
final class RankLimits {
  /**
   * An outage has the whole fleet swept from the ledger. Each worker finds that by a renewal, and
   * then comes back within a lease; how long the outage is over, this worker's own share tells
   * best. For three leases after it was back, others count as before.
   */
  private static final long SWEPT_MILLIS = 45_000;

  private final GangSettings settings;

  /** How many slots live workers had when the ledger was read last; negative before that. */
  private int liveSlots = -1;

  /** The most that were seen lately, and when; monotonic milliseconds. */
  private int mostSlots;

  private long mostSeenAt;

  /** What a provisioner could launch when that was read last; null before that. */
  private RankLimit.@Nullable Fleet launchable;

  /** When both were last read one after the other; monotonic milliseconds. */
  private long judgedAt;

  RankLimits(GangSettings settings) {
    this.settings = settings;
  }

  /** All of the ledger was read, and then, unless it is null, what may be launched. */
  void viewed(LedgerView seen, RankLimit.@Nullable Fleet fleet, Moment now) {
    liveSlots = seen.liveSlots(now.service());
    if (liveSlots >= mostSlots || now.mono() - mostSeenAt >= SWEPT_MILLIS) {
      mostSlots = liveSlots;
      mostSeenAt = now.mono();
    } else if (!seen.hasLive(settings.worker(), now.service())) {
      mostSeenAt = now.mono();
    }
    if (fleet != null) {
      launchable = fleet;
      judgedAt = now.mono();
    }
  }

  int liveSlots() {
    return liveSlots;
  }

  /** Until when the limit is known; monotonic milliseconds. */
  long judgedAt() {
    return judgedAt;
  }

  /** Null while nobody knows. */
  @Nullable RankLimit limit(Moment now) {
    if (settings.maxRanks() > 0) {
      return new RankLimit.Option(settings.maxRanks());
    }
    RankLimit.Fleet fleet = launchable;
    if (fleet == null) {
      return null;
    }
    int slots = Math.max(liveSlots, mostSlots);
    boolean grows = fleet.livesAt(now.service()) && fleet.ranks() > slots;
    return grows ? fleet : new RankLimit.LiveWorkers(slots);
  }
}
