package io.cloudkon.client.plan;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.price.InstanceType;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.simulator.cloud.Latencies;

/**
 * The assumptions that all fleets of a plan share. Immutable.
 *
 * @param instance the instance on which each worker runs
 * @param threads the client's threads
 * @param bundler the sizes of bundles
 * @param consistency the consistency of the run
 * @param claim the scope of one claim
 * @param latencies the latencies of calls
 * @param idleSeconds how long a worker stays alive without work
 * @param seed the seed of everything that is drawn
 */
record PlanSettings(
    InstanceType instance,
    int threads,
    BundlerSettings bundler,
    Consistency consistency,
    ClaimScope claim,
    Latencies latencies,
    long idleSeconds,
    long seed) {

  PlanSettings withThreads(int count) {
    return new PlanSettings(
        instance, count, bundler, consistency, claim, latencies, idleSeconds, seed);
  }

  PlanSettings withTargetMillis(long target) {
    return new PlanSettings(
        instance,
        threads,
        new BundlerSettings(bundler.fixedTasks(), target, bundler.maxBytes(), bundler.mayWait()),
        consistency,
        claim,
        latencies,
        idleSeconds,
        seed);
  }
}
