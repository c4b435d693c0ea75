/**
 * Whole clusters in virtual time, crashed at every effect, shaken by seed, and with machines that
 * are wrong: what must hold is watched from outside.
 */
@NullMarked
package io.cloudkon.simulator.faults;

import org.jspecify.annotations.NullMarked;
