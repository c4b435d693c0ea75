package io.cloudkon.client.workload;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that ends after a number of bytes of another stream. Not thread safe. */
final class FirstBytes extends FilterInputStream {
  private long left;

  FirstBytes(InputStream in, long length) {
    super(in);
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (left <= 0 && length > 0) {
      return -1;
    }
    int count = in.read(bytes, from, (int) Math.min(left, length));
    left -= Math.max(0, count);
    return count;
  }
}
