/** Processes of the operating system, as far as Java cannot start them alone. */
@NullMarked
package io.cloudkon.core.process;

import org.jspecify.annotations.NullMarked;
