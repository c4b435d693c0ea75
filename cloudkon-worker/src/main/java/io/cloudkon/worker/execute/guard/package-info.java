/**
 * Processes that cannot outlive their worker: a shell beside the JVM kills what a dead one left.
 */
@NullMarked
package io.cloudkon.worker.execute.guard;

import org.jspecify.annotations.NullMarked;
