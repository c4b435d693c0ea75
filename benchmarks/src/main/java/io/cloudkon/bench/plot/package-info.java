/** Draws figures as PNG files, without a display. */
@NullMarked
package io.cloudkon.bench.plot;

import org.jspecify.annotations.NullMarked;
