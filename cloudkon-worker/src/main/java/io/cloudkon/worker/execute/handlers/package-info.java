/** The {@code java} handlers that every worker has, found like those of a user's jar. */
@NullMarked
package io.cloudkon.worker.execute.handlers;

import org.jspecify.annotations.NullMarked;
