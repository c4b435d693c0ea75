/** The emulator as its users meet it: as a process, by its command line and over HTTP. */
@NullMarked
package io.cloudkon.local;

import org.jspecify.annotations.NullMarked;
