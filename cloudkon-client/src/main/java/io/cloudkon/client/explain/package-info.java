/** Explains in words why a run or a task still waits. */
@NullMarked
package io.cloudkon.client.explain;

import org.jspecify.annotations.NullMarked;
