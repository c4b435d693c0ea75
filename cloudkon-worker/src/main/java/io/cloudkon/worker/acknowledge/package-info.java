/** Step 5: deletes messages, hides them longer, or puts them back. */
@NullMarked
package io.cloudkon.worker.acknowledge;

import org.jspecify.annotations.NullMarked;
