/** The sweep that estimates pi, as a user runs it. */
@NullMarked
package io.cloudkon.examples.pi;

import org.jspecify.annotations.NullMarked;
