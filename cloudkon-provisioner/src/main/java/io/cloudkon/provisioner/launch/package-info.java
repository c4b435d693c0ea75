/** Starts workers as processes on this machine. */
@NullMarked
package io.cloudkon.provisioner.launch;

import org.jspecify.annotations.NullMarked;
