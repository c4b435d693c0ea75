/** State that is shared by everything in one simulation, and the hooks where tests plant bugs. */
@NullMarked
package io.cloudkon.simulator.world;

import org.jspecify.annotations.NullMarked;
