/** Programs that take far longer than workers and clients have learned. */
@NullMarked
package io.cloudkon.simulator.stale;

import org.jspecify.annotations.NullMarked;
