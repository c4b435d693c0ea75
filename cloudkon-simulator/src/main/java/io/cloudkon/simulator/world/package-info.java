/** What everybody in one simulation shares, and where tests put mistakes. */
@NullMarked
package io.cloudkon.simulator.world;

import org.jspecify.annotations.NullMarked;
