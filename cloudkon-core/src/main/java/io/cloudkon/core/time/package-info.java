/** Time as it comes in from outside, so that tests turn it by hand. */
@NullMarked
package io.cloudkon.core.time;

import org.jspecify.annotations.NullMarked;
