/**
 * Metrics of the provisioner for Prometheus. Micrometer stays in this room, and none of it is
 * loaded unless {@code --metrics-port} is given.
 */
@NullMarked
package io.cloudkon.provisioner.metrics;

import org.jspecify.annotations.NullMarked;
