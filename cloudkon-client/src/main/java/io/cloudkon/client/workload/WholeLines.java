package io.cloudkon.client.workload;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Finds the complete lines in a file whose end a crash may have truncated or replaced by zeros.
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

  /**
   * The complete lines before the first NUL byte.
   *
   * @param bytes their length
   * @param lines their number
   */
  record Text(long bytes, long lines) {}

  /** The complete lines before the first NUL byte in so many bytes of a file. */
  static Text beforeNul(Path path, long length) throws IOException {
    byte[] chunk = new byte[CHUNK];
    long read = 0;
    long bytes = 0;
    long lines = 0;
    try (InputStream in = new FirstBytes(new FileInputStream(path.toFile()), length)) {
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        for (int i = 0; i < count; i++) {
          if (chunk[i] == 0) {
            return new Text(bytes, lines);
          }
          if (chunk[i] == '\n') {
            bytes = read + i + 1;
            lines++;
          }
        }
        read += count;
      }
    }
    return new Text(bytes, lines);
  }
}
