/** Simulated workloads: tasks, their durations and the distribution of these. */
@NullMarked
package io.cloudkon.simulator.load;

import org.jspecify.annotations.NullMarked;
