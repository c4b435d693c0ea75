/**
 * The vocabulary: tasks, bundles, results and their limits. Knows nothing of AWS, threads or
 * clocks.
 */
@NullMarked
package io.cloudkon.core.model;

import org.jspecify.annotations.NullMarked;
