/** State that everybody in one simulation shares, and the places where tests plant bugs. */
@NullMarked
package io.cloudkon.simulator.world;

import org.jspecify.annotations.NullMarked;
