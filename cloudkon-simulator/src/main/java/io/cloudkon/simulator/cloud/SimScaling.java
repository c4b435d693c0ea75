package io.cloudkon.simulator.cloud;

import io.cloudkon.core.protocol.gang.RankLimit;
import org.jspecify.annotations.Nullable;

/**
 * What a fleet that grows with its queue needs of the services.
 *
 * @param decisions the table of decisions
 * @param entries what workers say of themselves
 * @param requests how deep the request queue is
 * @param jobs how deep the queue of HPC jobs is; null if there are none
 * @param instances the launcher
 */
public record SimScaling(
    SimDecisions decisions,
    SimEntries entries,
    SimDepth requests,
    @Nullable SimDepth jobs,
    SimInstances instances) {

  /** Whether provisioners could have launched workers for so many ranks ever since a moment. */
  public boolean mayLaunch(int ranks, long sinceMillis, long nowMillis) {
    return decisions.heldSince() <= sinceMillis
        && decisions
            .now()
            .provisioner()
            .filter(entry -> entry.leaseEnd() > nowMillis)
            .filter(entry -> RankLimit.Fleet.of(entry).ranks() >= ranks)
            .isPresent();
  }
}
