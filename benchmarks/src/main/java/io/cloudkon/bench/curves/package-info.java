/**
 * {@code bench curves}: the published figures, simulated beside the published points, and on to
 * fleets that nobody rents for a test.
 */
@NullMarked
package io.cloudkon.bench.curves;

import org.jspecify.annotations.NullMarked;
