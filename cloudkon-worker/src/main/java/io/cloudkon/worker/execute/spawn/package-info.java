/** Starts commands by {@code posix_spawn} of Linux's C library, without a shell in between. */
@NullMarked
package io.cloudkon.worker.execute.spawn;

import org.jspecify.annotations.NullMarked;
