/** Learning how long tasks take, in client and worker. */
@NullMarked
package io.cloudkon.core.protocol.durations;

import org.jspecify.annotations.NullMarked;
