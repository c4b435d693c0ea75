/** How long tasks take, as a client and a worker learn it. */
@NullMarked
package io.cloudkon.core.protocol.durations;

import org.jspecify.annotations.NullMarked;
