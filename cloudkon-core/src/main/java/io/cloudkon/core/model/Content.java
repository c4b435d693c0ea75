package io.cloudkon.core.model;

/**
 * Something that the client put into the blob store for tasks of its run, under {@link
 * BlobKeys#in}. Immutable.
 *
 * @param sha256 of what is stored, in hex
 * @param bytes how large that is
 * @param name of the file or folder that it becomes in the task's directory; empty where it is no
 *     file
 */
public record Content(String sha256, long bytes, String name) {}
