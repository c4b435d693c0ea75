/** Runs the commands of the README and of the guide, and compares what they print. */
@NullMarked
package io.cloudkon.examples.guide;

import org.jspecify.annotations.NullMarked;
