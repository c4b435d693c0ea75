/**
 * Processes that cannot outlive their worker: a shell beside the JVM kills those of a dead worker.
 */
@NullMarked
package io.cloudkon.worker.execute.guard;

import org.jspecify.annotations.NullMarked;
