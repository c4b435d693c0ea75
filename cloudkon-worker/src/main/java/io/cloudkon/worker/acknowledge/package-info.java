/** Step 5: messages are deleted, hidden longer, or put back. */
@NullMarked
package io.cloudkon.worker.acknowledge;

import org.jspecify.annotations.NullMarked;
