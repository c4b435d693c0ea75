/** Measurements of a simulation and their summary. */
@NullMarked
package io.cloudkon.simulator.report;

import org.jspecify.annotations.NullMarked;
