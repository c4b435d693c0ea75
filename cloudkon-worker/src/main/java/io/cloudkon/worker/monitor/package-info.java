/** What the worker says of itself to the registry. */
@NullMarked
package io.cloudkon.worker.monitor;

import org.jspecify.annotations.NullMarked;
