/**
 * Benchmarks by name: {@code ./cloudkon bench NAME}. Each prints a table; where it makes sense, the
 * bare SDK calls measured in the same run stand beside, and their ratio.
 */
@NullMarked
package io.cloudkon.bench;

import org.jspecify.annotations.NullMarked;
