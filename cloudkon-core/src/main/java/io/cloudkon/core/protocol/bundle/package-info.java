/** A received bundle in a worker, from its receive to the deletion of its message. */
@NullMarked
package io.cloudkon.core.protocol.bundle;

import org.jspecify.annotations.NullMarked;
