/** The provisioner: holds the lease, looks, decides, and has its decisions carried out. */
@NullMarked
package io.cloudkon.provisioner.decide;

import org.jspecify.annotations.NullMarked;
