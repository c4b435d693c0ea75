/** Where a process shows its metrics; what they are is the process's own business. */
@NullMarked
package io.cloudkon.core.metrics;

import org.jspecify.annotations.NullMarked;
