/**
 * One tile of a picture of the Mandelbrot set as a {@code java} task: what a user would put into a
 * handler jar, and needs nothing but {@code TaskHandler} from CloudKon.
 */
@NullMarked
package io.cloudkon.examples.mandelbrot;

import org.jspecify.annotations.NullMarked;
