/**
 * Runs the same work through CloudKon, other schedulers from PyPI and bare yardsticks, in turns on
 * one machine: {@code ./cloudkon bench rivals}.
 */
@NullMarked
package io.cloudkon.bench.rivals;

import org.jspecify.annotations.NullMarked;
