/**
 * The reaction of a worker when its cloud announces that the machine is to leave: an interruption,
 * a rebalance recommendation, or scheduled maintenance.
 */
@NullMarked
package io.cloudkon.core.protocol.notice;

import org.jspecify.annotations.NullMarked;
