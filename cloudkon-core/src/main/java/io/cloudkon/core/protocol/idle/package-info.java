/**
 * How a worker shuts itself down when it is not needed: it has been idle for long enough, no job
 * waits for its slots, other workers form the fleet's minimum, and a last receive from the queues
 * returns nothing.
 */
@NullMarked
package io.cloudkon.core.protocol.idle;

import org.jspecify.annotations.NullMarked;
