/** A provisioner's observations of its cluster. */
@NullMarked
package io.cloudkon.provisioner.observe;

import org.jspecify.annotations.NullMarked;
