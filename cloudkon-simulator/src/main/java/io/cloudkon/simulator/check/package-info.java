/** Invariants of every run, checked from outside. */
@NullMarked
package io.cloudkon.simulator.check;

import org.jspecify.annotations.NullMarked;
