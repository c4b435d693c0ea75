/**
 * Metrics of the worker for Prometheus. Only this package uses Micrometer, and none of it is loaded
 * unless {@code --metrics-port} is given.
 */
@NullMarked
package io.cloudkon.worker.metrics;

import org.jspecify.annotations.NullMarked;
