/** Step 3b: packs the files that a task's command has left in its directory, to be brought back. */
@NullMarked
package io.cloudkon.worker.collect;

import org.jspecify.annotations.NullMarked;
