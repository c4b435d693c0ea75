/**
 * Estimates time, cost and bottleneck of a workload on fleets of several sizes, without starting
 * them.
 */
@NullMarked
package io.cloudkon.client.plan;

import org.jspecify.annotations.NullMarked;
