/**
 * Misbehaviour on purpose, around the ports of any cloud: what a real service does to its callers
 * in a year, by seed or by script in a second. Every fault is one that the ports' contracts allow.
 */
@NullMarked
package io.cloudkon.core.memory.faults;

import org.jspecify.annotations.NullMarked;
