package io.cloudkon.client.plan;

/**
 * The simulation of a fleet.
 *
 * @param seen the observation, extrapolated to the whole workload
 * @param tasks the number of simulated tasks
 * @param shortened whether they were simulated with shorter durations
 */
record Simulated(Observation seen, long tasks, boolean shortened) {}
