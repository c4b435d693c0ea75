/** A worker's health: what keeps it from starting tasks, and what it does about that. */
@NullMarked
package io.cloudkon.core.protocol.health;

import org.jspecify.annotations.NullMarked;
