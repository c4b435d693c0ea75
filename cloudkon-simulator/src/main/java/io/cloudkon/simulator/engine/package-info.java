/** Virtual time in one thread: the timeline, the processes on it, and the trace. */
@NullMarked
package io.cloudkon.simulator.engine;

import org.jspecify.annotations.NullMarked;
