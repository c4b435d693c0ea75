/** What could not be run, as it lies in the dead-letter queue: looked at, and tried anew. */
@NullMarked
package io.cloudkon.client.dead;

import org.jspecify.annotations.NullMarked;
