/** Time, which is injected so that tests can advance it by hand. */
@NullMarked
package io.cloudkon.core.time;

import org.jspecify.annotations.NullMarked;
