/** Processes of the operating system that Java cannot start by itself. */
@NullMarked
package io.cloudkon.core.process;

import org.jspecify.annotations.NullMarked;
