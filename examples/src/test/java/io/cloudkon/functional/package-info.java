/** Whole paths through the jars as a person starts them. */
@NullMarked
package io.cloudkon.functional;

import org.jspecify.annotations.NullMarked;
