/** A worker's health: problems that prevent it from starting tasks, and the reactions to them. */
@NullMarked
package io.cloudkon.core.protocol.health;

import org.jspecify.annotations.NullMarked;
