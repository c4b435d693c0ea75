/**
 * The address and server of a process's metrics; the process itself defines which metrics there
 * are.
 */
@NullMarked
package io.cloudkon.core.metrics;

import org.jspecify.annotations.NullMarked;
