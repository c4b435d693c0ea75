/**
 * Step 3a: fetches what a task needs from the blob store before it runs: its work and shipped
 * trees.
 */
@NullMarked
package io.cloudkon.worker.input;

import org.jspecify.annotations.NullMarked;
