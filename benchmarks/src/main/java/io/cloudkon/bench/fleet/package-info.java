/** A fleet over time while its queue grows and empties: sampled, tabled and drawn. */
@NullMarked
package io.cloudkon.bench.fleet;

import org.jspecify.annotations.NullMarked;
