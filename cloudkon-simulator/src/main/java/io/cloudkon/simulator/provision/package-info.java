/** Provisioners in virtual time: the production machines, and drivers that do what they say. */
@NullMarked
package io.cloudkon.simulator.provision;

import org.jspecify.annotations.NullMarked;
