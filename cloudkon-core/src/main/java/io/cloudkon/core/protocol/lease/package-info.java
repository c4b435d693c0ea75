/** A lease that one process at a time holds: taken, watched, renewed, lost and let go. Pure. */
@NullMarked
package io.cloudkon.core.protocol.lease;

import org.jspecify.annotations.NullMarked;
