/**
 * Metrics of the provisioner for Prometheus. Only this package uses Micrometer, which is not loaded
 * unless {@code --metrics-port} is given.
 */
@NullMarked
package io.cloudkon.provisioner.metrics;

import org.jspecify.annotations.NullMarked;
