/** Decides what a worker receives, begins, and gives back. */
@NullMarked
package io.cloudkon.core.protocol.intake;

import org.jspecify.annotations.NullMarked;
