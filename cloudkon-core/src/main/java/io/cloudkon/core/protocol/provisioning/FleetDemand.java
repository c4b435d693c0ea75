package io.cloudkon.core.protocol.provisioning;

/**
 * How many workers are missing for a workload, whatever may forbid their launch. Immutable.
 *
 * @param missing workers to launch
 * @param wanted workers that the fleet should have; at most the maximum
 * @param why in words, without a full stop
 */
record FleetDemand(int missing, int wanted, String why) {}
