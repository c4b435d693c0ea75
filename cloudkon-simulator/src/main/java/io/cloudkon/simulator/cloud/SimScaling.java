package io.cloudkon.simulator.cloud;

import org.jspecify.annotations.Nullable;

/**
 * The services that a fleet needs that grows with its queue.
 *
 * @param decisions the table of decisions
 * @param entries the table of worker entries
 * @param requests the depth of the request queue
 * @param jobs the depth of the queue of HPC jobs; null if there are none
 * @param instances the launcher
 * @param byHand the workers that were not launched by a provisioner
 */
public record SimScaling(
    SimDecisions decisions,
    SimEntries entries,
    SimDepth requests,
    @Nullable SimDepth jobs,
    SimInstances instances,
    WorkersByHand byHand) {

  /** After what time without capacity nobody expects any; an hour, in microseconds. */
  private static final long SHORTAGE = 3_600_000_000L;

  /**
   * Whether provisioners could have launched workers for this number of ranks throughout the time
   * since a moment, or could still hope for that; judged by the actual state, not by reported data.
   */
  public boolean mayLaunch(int ranks, long sinceMillis, long nowMillis) {
    return decisions.heldSince() <= sinceMillis
        && !instances.haveBeenRefusedFor(SHORTAGE)
        && decisions
            .now()
            .provisioner()
            .filter(entry -> entry.leaseEnd() > nowMillis)
            .filter(entry -> entry.settings().takes().jobs())
            .filter(entry -> byHand.reachableSince(sinceMillis * 1000, entry.settings()) >= ranks)
            .isPresent();
  }
}
