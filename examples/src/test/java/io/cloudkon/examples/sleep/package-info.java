/** The workloads that sleep: what is in them, and a short run. */
@NullMarked
package io.cloudkon.examples.sleep;

import org.jspecify.annotations.NullMarked;
