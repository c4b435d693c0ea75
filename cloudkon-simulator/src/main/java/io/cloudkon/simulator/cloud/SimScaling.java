package io.cloudkon.simulator.cloud;

/**
 * What a fleet that grows with its queue needs of the services.
 *
 * @param decisions the table of decisions
 * @param entries what workers say of themselves
 * @param requests how deep the request queue is
 * @param instances the launcher
 */
public record SimScaling(
    SimDecisions decisions, SimEntries entries, SimDepth requests, SimInstances instances) {}
