package io.cloudkon.worker.input;

import java.nio.file.Path;

/**
 * What was shipped under one hash, unpacked on this worker's disk.
 *
 * @param sha256 of the archive
 * @param folder holds it and nothing else; removed with it
 * @param root the file or folder that was shipped, under its name
 * @param bytes how large its files are
 */
record Shipment(String sha256, Path folder, Path root, long bytes) {}
