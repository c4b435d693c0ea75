/** The provisioner: holds the lease, reads the cluster, decides, and carries out its decisions. */
@NullMarked
package io.cloudkon.provisioner.decide;

import org.jspecify.annotations.NullMarked;
