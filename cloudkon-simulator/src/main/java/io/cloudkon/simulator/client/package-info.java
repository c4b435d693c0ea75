/**
 * Clients: the production machines of bundling and completeness, and a driver that does what they
 * say.
 */
@NullMarked
package io.cloudkon.simulator.client;

import org.jspecify.annotations.NullMarked;
