package io.cloudkon.core.protocol.provisioning;

/**
 * The number of workers that are missing for a workload, regardless of limits on launches.
 * Immutable.
 *
 * @param missing workers to launch
 * @param wanted workers that the fleet should have; at most the maximum
 * @param why in words, without a full stop
 */
record FleetDemand(int missing, int wanted, String why) {}
