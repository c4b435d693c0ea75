/**
 * Benchmarks by name: {@code ./cloudkon bench NAME}. Each prints a table; where it makes sense,
 * with the bare SDK calls measured in the same run, and the ratio.
 */
@NullMarked
package io.cloudkon.bench;

import org.jspecify.annotations.NullMarked;
