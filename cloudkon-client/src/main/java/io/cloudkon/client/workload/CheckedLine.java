package io.cloudkon.client.workload;

/**
 * A task's line in a spool: a JSON object with an id, without the line end. The bytes are never
 * modified.
 *
 * @param bytes the line
 * @param id the task's id
 * @param given whether the id was given; otherwise it is the task's number
 * @param number the task's number
 * @param needsBlobStore whether the task can be sent only if there is a bucket
 */
public record CheckedLine(
    byte[] bytes, String id, boolean given, long number, boolean needsBlobStore) {}
