/** Checksums of a directory tree, a command per file, and the same computed directly. */
@NullMarked
package io.cloudkon.examples.checksums;

import org.jspecify.annotations.NullMarked;
