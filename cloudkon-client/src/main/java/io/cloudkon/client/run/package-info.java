/** A run from its first send to its last result, and its state meanwhile. */
@NullMarked
package io.cloudkon.client.run;

import org.jspecify.annotations.NullMarked;
