/** The rehearsal of a program while its JVM records an AOT cache. */
@NullMarked
package io.cloudkon.core.rehearsal;

import org.jspecify.annotations.NullMarked;
