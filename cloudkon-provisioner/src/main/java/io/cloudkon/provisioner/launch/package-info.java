/** Starts workers as processes of this machine. */
@NullMarked
package io.cloudkon.provisioner.launch;

import org.jspecify.annotations.NullMarked;
