/**
 * How a worker ends itself when nobody needs it: idle for long enough, no job waits for its slots,
 * the fleet's minimum is kept by others, and a last look at the queues finds nothing.
 */
@NullMarked
package io.cloudkon.core.protocol.idle;

import org.jspecify.annotations.NullMarked;
