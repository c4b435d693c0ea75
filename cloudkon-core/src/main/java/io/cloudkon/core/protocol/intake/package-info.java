/** How a worker decides what to receive, what to begin, and what to give back. */
@NullMarked
package io.cloudkon.core.protocol.intake;

import org.jspecify.annotations.NullMarked;
