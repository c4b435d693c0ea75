/**
 * A run and its reruns: which of its tasks run again, and how each of them ended. A rerun is a
 * separate run whose folder, {@code rerun-1}, {@code rerun-2} and so on, is in the folder of the
 * first run.
 */
@NullMarked
package io.cloudkon.client.rerun;

import org.jspecify.annotations.NullMarked;
