package io.cloudkon.client.workload;

/**
 * A task's line as it stands in a spool: a JSON object with an id, without the line end. The bytes
 * are never written to.
 *
 * @param bytes of the line
 * @param id of the task
 * @param given whether somebody has given it, else it is the task's number
 * @param number of the task
 * @param needsBlobStore whether it can be sent only where there is a bucket
 */
public record CheckedLine(
    byte[] bytes, String id, boolean given, long number, boolean needsBlobStore) {}
