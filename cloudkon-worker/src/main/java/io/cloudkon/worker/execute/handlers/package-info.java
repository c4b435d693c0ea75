/**
 * The built-in {@code java} handlers of every worker, found in the same way as those of a user's
 * jar.
 */
@NullMarked
package io.cloudkon.worker.execute.handlers;

import org.jspecify.annotations.NullMarked;
