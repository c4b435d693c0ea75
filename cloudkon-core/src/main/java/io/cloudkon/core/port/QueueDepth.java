package io.cloudkon.core.port;

/**
 * The approximate number of messages in a queue.
 *
 * @param waiting messages that can be received
 * @param inFlight messages that were received and are neither deleted nor visible again
 * @param delayed messages that cannot be received yet
 */
public record QueueDepth(long waiting, long inFlight, long delayed) {}
