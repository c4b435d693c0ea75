/**
 * {@code cloudkon demo}: the embedded AWS, worker processes and the client on one machine, with a
 * worker killed half-way.
 */
@NullMarked
package io.cloudkon.examples.demo;

import org.jspecify.annotations.NullMarked;
