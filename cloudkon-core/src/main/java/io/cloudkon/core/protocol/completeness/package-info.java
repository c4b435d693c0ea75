/** How a client knows that it has everything, and what it does about bundles that stay silent. */
@NullMarked
package io.cloudkon.core.protocol.completeness;

import org.jspecify.annotations.NullMarked;
