/** What a program does while its JVM records an AOT cache of it. */
@NullMarked
package io.cloudkon.core.rehearsal;

import org.jspecify.annotations.NullMarked;
