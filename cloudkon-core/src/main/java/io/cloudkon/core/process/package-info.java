/** Processes of the operating system: how this one was started, and how others are. */
@NullMarked
package io.cloudkon.core.process;

import org.jspecify.annotations.NullMarked;
