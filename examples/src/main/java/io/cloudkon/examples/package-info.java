/** Real workloads, and the command lines that the examples' jar offers. */
@NullMarked
package io.cloudkon.examples;

import org.jspecify.annotations.NullMarked;
