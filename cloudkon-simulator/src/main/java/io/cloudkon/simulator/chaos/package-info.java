/**
 * Everything that can go wrong at once, drawn from one seed: what runs, what befalls whom, when.
 */
@NullMarked
package io.cloudkon.simulator.chaos;

import org.jspecify.annotations.NullMarked;
