package io.cloudkon.worker.input;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Files that were shipped under one hash, unpacked on this worker's disk.
 *
 * @param sha256 of the archive
 * @param folder holds it and nothing else; removed with it
 * @param root the file or folder that was shipped, under its name
 * @param bytes what it takes, as {@link io.cloudkon.core.ship.Tree#unpack} counts
 * @param fingerprint of the folder as it was unpacked
 */
record UnpackedShipment(
    String sha256, Path folder, Path root, long bytes, TreeFingerprint fingerprint) {

  /** Whether nobody has changed it since. Asks for every file's attributes, some 10 us each. */
  boolean isIntact() {
    try {
      return TreeFingerprint.of(folder).equals(fingerprint);
    } catch (IOException e) {
      return false;
    }
  }
}
