/** Draws figures as PNG files, with no screen. */
@NullMarked
package io.cloudkon.bench.plot;

import org.jspecify.annotations.NullMarked;
