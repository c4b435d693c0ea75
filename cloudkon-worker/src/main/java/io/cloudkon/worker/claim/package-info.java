/** Step 2: calls the claim store, with back-off. */
@NullMarked
package io.cloudkon.worker.claim;

import org.jspecify.annotations.NullMarked;
