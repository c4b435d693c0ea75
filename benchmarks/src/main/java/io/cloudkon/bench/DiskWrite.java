package io.cloudkon.bench;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/** A plain sequential write to one file, synced: the ceiling for the files of a run. */
final class DiskWrite {
  /** The number of bytes of a write, as in the client's files. */
  static final int CHUNK = 64 * 1024;

  private DiskWrite() {}

  /**
   * Writes a new file and returns the seconds until it is on disk.
   *
   * @param chunk the content, repeated until there are enough bytes; not empty
   * @param bytes the size of the file
   */
  static double seconds(Path file, byte[] chunk, long bytes) throws IOException {
    long begun = System.nanoTime();
    try (FileOutputStream out = new FileOutputStream(file.toFile())) {
      for (long left = bytes; left > 0; left -= chunk.length) {
        out.write(chunk, 0, (int) Math.min(chunk.length, left));
      }
      out.getChannel().force(true);
    }
    return (System.nanoTime() - begun) / 1e9;
  }
}
