/**
 * The main class of every CloudKon jar, compiled for Java 8 so that an older Java can report which
 * version is required.
 */
@NullMarked
package io.cloudkon.launch;

import org.jspecify.annotations.NullMarked;
