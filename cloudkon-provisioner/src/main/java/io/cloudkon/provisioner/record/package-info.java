/** The decisions of a cluster: written before they are carried out, and told to people. */
@NullMarked
package io.cloudkon.provisioner.record;

import org.jspecify.annotations.NullMarked;
