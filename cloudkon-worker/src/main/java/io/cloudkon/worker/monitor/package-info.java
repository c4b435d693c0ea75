/** The entry of a worker in the registry, and the numbers in it. */
@NullMarked
package io.cloudkon.worker.monitor;

import org.jspecify.annotations.NullMarked;
