package io.cloudkon.core.port;

/**
 * One entry of a batch call that the service did not carry out.
 *
 * @param index the index of the entry in the batch, from 0
 * @param reason the service's message
 * @param retryable whether the same entry may be sent again; false if it can never be accepted
 */
public record BatchFailure(int index, String reason, boolean retryable) {}
