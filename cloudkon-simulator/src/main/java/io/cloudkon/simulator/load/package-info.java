/** What is run: tasks, how long they take, how they are shared out. */
@NullMarked
package io.cloudkon.simulator.load;

import org.jspecify.annotations.NullMarked;
