package io.cloudkon.worker.input;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Files that were shipped under one hash, unpacked on this worker's disk.
 *
 * @param sha256 the digest of the archive
 * @param folder the folder that holds it and nothing else; removed with it
 * @param root the file or folder that was shipped, under its name
 * @param bytes its size, as {@link io.cloudkon.core.ship.Tree#unpack} counts
 * @param fingerprint the fingerprint of the folder as it was unpacked
 */
record UnpackedShipment(
    String sha256, Path folder, Path root, long bytes, TreeFingerprint fingerprint) {

  /** Whether it is unchanged since. Reads every file's attributes, which takes some 10 us each. */
  boolean isIntact() {
    try {
      return TreeFingerprint.of(folder).equals(fingerprint);
    } catch (IOException e) {
      return false;
    }
  }
}
