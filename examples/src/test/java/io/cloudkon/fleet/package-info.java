/** Fleets that grow and shrink, through the jars as a person starts them. */
@NullMarked
package io.cloudkon.fleet;

import org.jspecify.annotations.NullMarked;
