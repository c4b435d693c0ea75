/** Collects results from the response queue into the run's files. */
@NullMarked
package io.cloudkon.client.collect;

import org.jspecify.annotations.NullMarked;
