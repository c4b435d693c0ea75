/** Fleets that grow with their queue and end themselves: what is launched, who provisions. */
@NullMarked
package io.cloudkon.simulator.scaling;

import org.jspecify.annotations.NullMarked;
