package io.cloudkon.client.spool;

import io.cloudkon.client.workload.LineCheck;
import java.util.List;

/** Lines that are appended to a spool in one write. Stateless. */
final class LineBlock {
  private LineBlock() {}

  /**
   * The bytes of lines, each with its line end.
   *
   * @throws io.cloudkon.core.error.UsageException if there is no memory for them
   */
  static byte[] of(List<byte[]> lines) {
    long length = lines.stream().mapToLong(line -> line.length + 1L).sum();
    if (length > Integer.MAX_VALUE) {
      throw LineCheck.lackOfMemory();
    }
    byte[] bytes;
    try {
      bytes = new byte[(int) length];
    } catch (OutOfMemoryError e) {
      throw LineCheck.lackOfMemory();
    }
    int at = 0;
    for (byte[] line : lines) {
      System.arraycopy(line, 0, bytes, at, line.length);
      at += line.length;
      bytes[at++] = '\n';
    }
    return bytes;
  }
}
