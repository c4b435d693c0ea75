/**
 * {@code bench curves}: the published figures, simulated and compared with the published points,
 * and continued to fleets that are too large to rent for a test.
 */
@NullMarked
package io.cloudkon.bench.curves;

import org.jspecify.annotations.NullMarked;
