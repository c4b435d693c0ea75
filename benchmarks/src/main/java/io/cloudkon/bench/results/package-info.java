/** Measured figures as files: JSON, a picture, and a page that shows all figures of a folder. */
@NullMarked
package io.cloudkon.bench.results;

import org.jspecify.annotations.NullMarked;
