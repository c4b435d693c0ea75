/** The provisioner's command line. */
@NullMarked
package io.cloudkon.provisioner.cli;

import org.jspecify.annotations.NullMarked;
