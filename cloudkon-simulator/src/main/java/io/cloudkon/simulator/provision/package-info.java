/**
 * Provisioners in virtual time: the production state machines, and drivers that carry out their
 * effects.
 */
@NullMarked
package io.cloudkon.simulator.provision;

import org.jspecify.annotations.NullMarked;
