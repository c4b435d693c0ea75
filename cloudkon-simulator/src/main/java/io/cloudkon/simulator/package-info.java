/**
 * A whole cluster in one thread and in virtual time: the production state machines of clients and
 * workers between simulated services. The same seed always gives the same history, event for event.
 */
@NullMarked
package io.cloudkon.simulator;

import org.jspecify.annotations.NullMarked;
