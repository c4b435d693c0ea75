/** Workers: the production machine of each, and a driver that does what it says. */
@NullMarked
package io.cloudkon.simulator.fleet;

import org.jspecify.annotations.NullMarked;
