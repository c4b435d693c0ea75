package io.cloudkon.local;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;

/** The same bytes each time, which repeat themselves nowhere nearby and take no memory. */
final class Noise extends InputStream {
  private static final int BLOCK_BYTES = 64 * 1024;

  private final byte[] block = new byte[BLOCK_BYTES];
  private final long length;
  private long position;

  Noise(long length) {
    this.length = length;
    new Random(7).nextBytes(block);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, target.length);
    if (position == length) {
      return -1;
    }
    int at = (int) (position % BLOCK_BYTES);
    if (at == 0) {
      long number = position / BLOCK_BYTES;
      for (int i = 0; i < Long.BYTES; i++) {
        block[i] = (byte) (number >>> (8 * i));
      }
    }
    int taken = (int) Math.min(Math.min(count, BLOCK_BYTES - at), length - position);
    System.arraycopy(block, at, target, offset, taken);
    position += taken;
    return taken;
  }

  /** Empty if both end after the same bytes. */
  static OptionalLong firstDifference(InputStream one, InputStream other) throws IOException {
    for (long number = 0; ; number++) {
      byte[] expected = one.readNBytes(BLOCK_BYTES);
      if (!Arrays.equals(expected, other.readNBytes(BLOCK_BYTES))) {
        return OptionalLong.of(number);
      }
      if (expected.length == 0) {
        return OptionalLong.empty();
      }
    }
  }
}
