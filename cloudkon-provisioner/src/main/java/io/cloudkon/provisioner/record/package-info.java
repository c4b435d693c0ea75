/**
 * The decisions of a cluster: they are written before they are carried out, and reported to users.
 */
@NullMarked
package io.cloudkon.provisioner.record;

import org.jspecify.annotations.NullMarked;
