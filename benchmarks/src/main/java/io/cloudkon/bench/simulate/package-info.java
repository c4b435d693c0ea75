/**
 * {@code bench simulate}: fleets of any size, and faults by seed, in virtual time. The state
 * machines are the production classes; see {@code docs/simulation.md} for what is simulated and
 * what is not.
 */
@NullMarked
package io.cloudkon.bench.simulate;

import org.jspecify.annotations.NullMarked;
