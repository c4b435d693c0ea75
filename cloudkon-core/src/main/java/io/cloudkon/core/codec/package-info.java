/** Encoding and decoding of bundles and results; the decoders are safe for any bytes. */
@NullMarked
package io.cloudkon.core.codec;

import org.jspecify.annotations.NullMarked;
