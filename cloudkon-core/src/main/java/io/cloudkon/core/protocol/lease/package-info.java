/**
 * A lease that one process at a time holds: watching, taking, renewing, losing and releasing it.
 * Pure.
 */
@NullMarked
package io.cloudkon.core.protocol.lease;

import org.jspecify.annotations.NullMarked;
