package io.cloudkon.client.workload;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Finds the length of the complete lines in a file whose last line a crash may have truncated.
 * Stateless.
 */
public final class WholeLines {
  private static final int CHUNK = 64 * 1024;

  private WholeLines() {}

  /** The length in bytes, up to the last line end. */
  public static long length(Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      return length(file);
    }
  }

  /** The same for an open file, which stays open. */
  public static long length(RandomAccessFile file) throws IOException {
    byte[] chunk = new byte[CHUNK];
    for (long end = file.length(); end > 0; ) {
      int size = (int) Math.min(CHUNK, end);
      file.seek(end - size);
      file.readFully(chunk, 0, size);
      for (int i = size - 1; i >= 0; i--) {
        if (chunk[i] == '\n') {
          return end - size + i + 1;
        }
      }
      end -= size;
    }
    return 0;
  }
}
