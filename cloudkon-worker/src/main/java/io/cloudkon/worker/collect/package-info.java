/**
 * Step 3b: files that a task's command has left in its directory are packed, to be brought back.
 */
@NullMarked
package io.cloudkon.worker.collect;

import org.jspecify.annotations.NullMarked;
