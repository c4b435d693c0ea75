package io.cloudkon.core.protocol.provisioning;

/**
 * The number of workers that are missing for a workload, regardless of limits on launches.
 * Immutable.
 *
 * @param missing the number of workers to launch
 * @param wanted the target number of workers; at most the maximum
 * @param why the reason, without a full stop
 */
record FleetDemand(int missing, int wanted, String why) {}
