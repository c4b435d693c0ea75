package io.cloudkon.core.model;

/**
 * One task of a run, as the workload states it. Immutable.
 *
 * @param ordinal its place among the run's tasks, from 0: the identity that the protocol uses
 * @param id the user's own id, or the number of its line in the workload file (from 1) where none
 *     was given: what the user sees
 * @param work what it does
 * @param timeoutMillis how long one try may take, in milliseconds; 0 means no limit
 */
public record Task(int ordinal, String id, Work work, long timeoutMillis) {}
