package io.cloudkon.core.protocol.capacity;

/**
 * A job that was received and for which the cluster has no room yet.
 *
 * @param job its bundle's id
 * @param ranks how many slots it needs at once
 * @param since when it was first refused; service clock, epoch milliseconds. Patience counts from
 *     here, whoever receives it later
 * @param worker who holds its message
 * @param leaseEnd service clock, epoch milliseconds
 */
public record Waiting(String job, int ranks, long since, String worker, long leaseEnd) {}
