package io.cloudkon.simulator.cloud;

import org.jspecify.annotations.Nullable;

/**
 * The parts of the services that a fleet needs that grows with its queue.
 *
 * @param decisions the table of decisions
 * @param entries what workers say of themselves
 * @param requests how deep the request queue is
 * @param jobs how deep the queue of HPC jobs is; null if there are none
 * @param instances the launcher
 * @param byHand who is there without having been launched
 */
public record SimScaling(
    SimDecisions decisions,
    SimEntries entries,
    SimDepth requests,
    @Nullable SimDepth jobs,
    SimInstances instances,
    WorkersByHand byHand) {

  /**
   * Whether provisioners could have launched workers for so many ranks ever since a moment; by what
   * is there, not by what they say.
   */
  public boolean mayLaunch(int ranks, long sinceMillis, long nowMillis) {
    return decisions.heldSince() <= sinceMillis
        && decisions
            .now()
            .provisioner()
            .filter(entry -> entry.leaseEnd() > nowMillis)
            .filter(entry -> entry.settings().takes().jobs())
            .filter(entry -> byHand.reachableSince(sinceMillis * 1000, entry.settings()) >= ranks)
            .isPresent();
  }
}
