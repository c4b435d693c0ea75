/** What a workload would take on fleets that nobody has started: time, cost, and what limits it. */
@NullMarked
package io.cloudkon.client.plan;

import org.jspecify.annotations.NullMarked;
