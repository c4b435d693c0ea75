/** Combinations of all faults, drawn from one seed: the workload, the faults, and their times. */
@NullMarked
package io.cloudkon.simulator.chaos;

import org.jspecify.annotations.NullMarked;
