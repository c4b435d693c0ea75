/**
 * Code shared by every jar's command line: set-up, one-line errors, exit codes, version, shared
 * options.
 */
@NullMarked
package io.cloudkon.core.cli;

import org.jspecify.annotations.NullMarked;
