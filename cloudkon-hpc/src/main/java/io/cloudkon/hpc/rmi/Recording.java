package io.cloudkon.hpc.rmi;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Input that records the bytes that were read from it. */
final class Recording extends FilterInputStream {
  private static final int BYTES = 1024 * 1024;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  Recording(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    int one = super.read();
    if (one >= 0) {
      bytes.write(one);
      check();
    }
    return one;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int count = super.read(into, offset, length);
    if (count > 0) {
      bytes.write(into, offset, count);
      check();
    }
    return count;
  }

  private void check() throws IOException {
    if (bytes.size() > BYTES) {
      throw new IOException("it is larger than any answer");
    }
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }
}
