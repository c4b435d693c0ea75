/**
 * A run and its reruns: which of its tasks are run again, and what came of each in the end. A rerun
 * is a run of its own whose folder, {@code rerun-1}, {@code rerun-2} and so on, lies in that of the
 * first one.
 */
@NullMarked
package io.cloudkon.client.rerun;

import org.jspecify.annotations.NullMarked;
