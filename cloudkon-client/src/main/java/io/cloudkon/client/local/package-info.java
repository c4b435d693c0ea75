/** The cluster {@code LOCAL}: queue, claims and a worker in this process. */
@NullMarked
package io.cloudkon.client.local;

import org.jspecify.annotations.NullMarked;
