/** A program of the user's own over a folder, as a user runs it. */
@NullMarked
package io.cloudkon.examples.ship;

import org.jspecify.annotations.NullMarked;
