package io.cloudkon.core.port;

/**
 * The approximate number of messages in a queue.
 *
 * @param waiting ready to be received
 * @param inFlight received and neither deleted nor visible again
 * @param delayed not yet to be received
 */
public record QueueDepth(long waiting, long inFlight, long delayed) {}
