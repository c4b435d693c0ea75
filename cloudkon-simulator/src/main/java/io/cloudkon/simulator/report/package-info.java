/** What a simulation measures, and how it is summed up. */
@NullMarked
package io.cloudkon.simulator.report;

import org.jspecify.annotations.NullMarked;
