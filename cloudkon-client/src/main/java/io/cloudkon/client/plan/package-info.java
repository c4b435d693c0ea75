/** Estimates for a workload on fleets that nobody has started: time, cost, and the bottleneck. */
@NullMarked
package io.cloudkon.client.plan;

import org.jspecify.annotations.NullMarked;
