/**
 * Time, which is injected so that tests can advance it by hand, and a thread that looks at
 * something from time to time.
 */
@NullMarked
package io.cloudkon.core.time;

import org.jspecify.annotations.NullMarked;
