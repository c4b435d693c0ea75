/** How a client determines that it has all results, and how it handles silent bundles. */
@NullMarked
package io.cloudkon.core.protocol.completeness;

import org.jspecify.annotations.NullMarked;
