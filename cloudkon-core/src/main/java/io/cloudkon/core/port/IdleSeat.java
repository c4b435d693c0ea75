package io.cloudkon.core.port;

/**
 * The right of one idle worker to stay. There are as many seats as the fleet's minimum. Immutable.
 *
 * @param index the index of the seat, from 0
 * @param worker the worker that has it
 * @param leaseEnd the end of its lease; service clock, epoch milliseconds
 */
public record IdleSeat(int index, String worker, long leaseEnd) {}
