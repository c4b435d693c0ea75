/** Workers: the production state machine of each, and a driver that carries out its effects. */
@NullMarked
package io.cloudkon.simulator.fleet;

import org.jspecify.annotations.NullMarked;
