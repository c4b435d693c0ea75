/** Real processes, killed, frozen, drained and cut off from AWS; and the harness for that. */
@NullMarked
package io.cloudkon.faults;

import org.jspecify.annotations.NullMarked;
