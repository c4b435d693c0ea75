/** Bundles and results to bytes and back; the decoders survive any bytes. */
@NullMarked
package io.cloudkon.core.codec;

import org.jspecify.annotations.NullMarked;
