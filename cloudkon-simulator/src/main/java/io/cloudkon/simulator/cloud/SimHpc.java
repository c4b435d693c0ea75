package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.SimOffer;

/**
 * The parts of the services, and of the network between workers, that HPC jobs need.
 *
 * @param jobs the queue of jobs
 * @param ranks the queue of ranks that look for a slot
 * @param ledger who has slots
 * @param wire between workers
 * @param meetings of ranks
 * @param roster who is really there
 */
public record SimHpc(
    SimQueue<Request> jobs,
    SimQueue<SimOffer> ranks,
    SimLedger ledger,
    SimWire wire,
    Meetings meetings,
    Roster roster) {}
