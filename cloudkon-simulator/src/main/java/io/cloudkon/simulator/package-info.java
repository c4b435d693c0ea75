/**
 * A whole cluster in one thread and in virtual time: the production machines of clients and workers
 * between simulated services. One seed gives one history, event for event.
 */
@NullMarked
package io.cloudkon.simulator;

import org.jspecify.annotations.NullMarked;
