/** One run from its first send to its last result, and what is known of it meanwhile. */
@NullMarked
package io.cloudkon.client.run;

import org.jspecify.annotations.NullMarked;
