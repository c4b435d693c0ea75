/** Fleets that grow with their queue and shrink by themselves, with their provisioners. */
@NullMarked
package io.cloudkon.simulator.scaling;

import org.jspecify.annotations.NullMarked;
