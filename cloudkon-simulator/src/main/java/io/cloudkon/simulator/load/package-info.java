/** Simulated workloads: tasks, how long they take, how they are distributed. */
@NullMarked
package io.cloudkon.simulator.load;

import org.jspecify.annotations.NullMarked;
