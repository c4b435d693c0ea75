/** The state of a cluster, as seen from outside. */
@NullMarked
package io.cloudkon.client.status;

import org.jspecify.annotations.NullMarked;
