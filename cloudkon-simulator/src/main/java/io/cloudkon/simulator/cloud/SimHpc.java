package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.SimOffer;

/**
 * The services, and the network between workers, that HPC jobs need.
 *
 * @param jobs the queue of jobs
 * @param ranks the queue of ranks that need a slot
 * @param ledger the ledger of slots
 * @param wire the network between workers
 * @param meetings the barriers of ranks
 * @param roster the workers that are really present
 */
public record SimHpc(
    SimQueue<Request> jobs,
    SimQueue<SimOffer> ranks,
    SimLedger ledger,
    SimWire wire,
    Meetings meetings,
    Roster roster) {}
