package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.io.InputStream;

/**
 * A connection's input as RMI sees it: only bytes that {@link #next} has checked. Used by one
 * thread at a time.
 */
abstract class RmiGate extends InputStream {
  private byte[] ready = {};
  private int position;

  /** The next bytes, checked; empty at the end of the input. */
  abstract byte[] next() throws IOException;

  /** Whether the bytes that follow may be read without a check. */
  abstract boolean open();

  /** The connection's own input. */
  abstract InputStream raw();

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position == ready.length) {
      if (open()) {
        return raw().read(bytes, offset, length);
      }
      ready = next();
      position = 0;
      if (ready.length == 0) {
        return -1;
      }
    }
    int count = Math.min(length, ready.length - position);
    System.arraycopy(ready, position, bytes, offset, count);
    position += count;
    return count;
  }

  @Override
  public final int available() throws IOException {
    int waiting = ready.length - position;
    return waiting > 0 || !open() ? waiting : raw().available();
  }
}
