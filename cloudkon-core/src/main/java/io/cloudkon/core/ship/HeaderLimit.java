package io.cloudkon.core.ship;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bytes of an archive, of which the library keeps headers whole in memory: no more than {@value
 * #MOST} bytes can be read between two entries. Not thread safe.
 */
final class HeaderLimit extends FilterInputStream {
  /** Names have 4,096 bytes at most on Linux; some systems add more about each file. */
  static final int MOST = 1 << 20;

  private boolean inHeaders;
  private long left;

  HeaderLimit(InputStream in) {
    super(in);
  }

  /** Counts what is read from now on as headers, from zero. */
  void beginHeaders() {
    inHeaders = true;
    left = MOST;
  }

  /** Ends the limit until the next headers. */
  void endHeaders() {
    inHeaders = false;
  }

  private long counted(long bytes) throws IOException {
    if (inHeaders && bytes > 0) {
      left -= bytes;
      if (left < 0) {
        throw new IOException(
            "more than %d bytes between two entries, expected a name".formatted(MOST));
      }
    }
    return bytes;
  }

  @Override
  public int read() throws IOException {
    int next = in.read();
    long _ = counted(next < 0 ? 0 : 1);
    return next;
  }

  @Override
  public int read(byte[] to, int start, int count) throws IOException {
    return (int) counted(in.read(to, start, count));
  }

  @Override
  public long skip(long count) throws IOException {
    return counted(in.skip(count));
  }
}
