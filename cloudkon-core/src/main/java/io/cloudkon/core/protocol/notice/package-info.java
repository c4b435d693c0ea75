/**
 * The reaction of a worker to announcements of its cloud about the machine: an interruption, a
 * rebalance recommendation, or scheduled maintenance.
 */
@NullMarked
package io.cloudkon.core.protocol.notice;

import org.jspecify.annotations.NullMarked;
