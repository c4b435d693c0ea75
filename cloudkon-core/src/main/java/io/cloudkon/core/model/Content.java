package io.cloudkon.core.model;

/**
 * Content that the client stored in the blob store for tasks of its run, under {@link BlobKeys#in}.
 * Immutable.
 *
 * @param sha256 the hash of the stored bytes, in hex
 * @param bytes their number
 * @param name the name of the file or folder in the task's directory; empty if it is not a file
 */
public record Content(String sha256, long bytes, String name) {}
