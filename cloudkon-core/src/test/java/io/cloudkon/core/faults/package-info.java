/**
 * Whole clusters in one thread, in virtual time: the production machines over the memory adapters,
 * crashed at every effect, and shaken by seed. The driver here is a second one, written against
 * {@code PROTOCOL.md}, not the worker's own.
 */
@NullMarked
package io.cloudkon.core.faults;

import org.jspecify.annotations.NullMarked;
