/** Virtual time in one thread: what happens next, the processes that live in it, and the trace. */
@NullMarked
package io.cloudkon.simulator.engine;

import org.jspecify.annotations.NullMarked;
