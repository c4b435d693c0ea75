/** Step 1: messages of the request queue become bundles. */
@NullMarked
package io.cloudkon.worker.source;

import org.jspecify.annotations.NullMarked;
