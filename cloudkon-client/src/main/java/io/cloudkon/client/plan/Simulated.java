package io.cloudkon.client.plan;

/**
 * A fleet's simulation.
 *
 * @param seen what it showed, carried on to the whole workload
 * @param tasks how many tasks were simulated
 * @param shortened whether they were simulated with shorter times
 */
record Simulated(Observation seen, long tasks, boolean shortened) {}
