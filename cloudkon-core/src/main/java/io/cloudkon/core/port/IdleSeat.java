package io.cloudkon.core.port;

/**
 * The right of one idle worker to stay: there are as many as the fleet's minimum. Immutable.
 *
 * @param index counts from 0
 * @param worker who has it
 * @param leaseEnd until when; service clock, epoch milliseconds
 */
public record IdleSeat(int index, String worker, long leaseEnd) {}
