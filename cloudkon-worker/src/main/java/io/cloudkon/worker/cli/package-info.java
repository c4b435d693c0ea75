/** The worker's command line. */
@NullMarked
package io.cloudkon.worker.cli;

import org.jspecify.annotations.NullMarked;
