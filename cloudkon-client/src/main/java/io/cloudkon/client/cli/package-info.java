/** The client's command line. */
@NullMarked
package io.cloudkon.client.cli;

import org.jspecify.annotations.NullMarked;
