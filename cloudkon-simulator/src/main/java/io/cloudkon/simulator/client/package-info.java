/**
 * Clients: the production state machines of bundling and completeness, and a driver that carries
 * out their effects.
 */
@NullMarked
package io.cloudkon.simulator.client;

import org.jspecify.annotations.NullMarked;
