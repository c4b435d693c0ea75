/**
 * Where an option's value comes from when the command line does not give it, and how values are
 * written: durations, sizes. An unknown key is an error wherever it stands, so that a configuration
 * cannot lie.
 */
@NullMarked
package io.cloudkon.core.config;

import org.jspecify.annotations.NullMarked;
