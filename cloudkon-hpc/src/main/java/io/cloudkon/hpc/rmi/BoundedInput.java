package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * Input that is read in parts with a time limit: a part must be complete {@value #PART_MILLIS} ms
 * after its first byte, however slowly the peer sends. The wait for the first byte is limited by
 * the connection's own timeout, and so is the wait for each byte of a part that is {@linkplain
 * #free free}.
 */
final class BoundedInput extends InputStream {
  private static final int PART_MILLIS = 2000;

  private enum Bound {
    FREE,
    BEFORE_PART,
    WITHIN_PART
  }

  private final AcceptedSocket socket;
  private final InputStream in;
  private Bound bound = Bound.FREE;
  private long deadlineNanos;

  BoundedInput(AcceptedSocket socket, InputStream in) {
    this.socket = socket;
    this.in = in;
  }

  /** Starts a new part, whose time begins with its first byte. */
  void begin() {
    bound = Bound.BEFORE_PART;
  }

  /** Starts a new part, whose time begins now. */
  void beginNow() {
    bound = Bound.WITHIN_PART;
    deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PART_MILLIS);
  }

  /** Starts a part without a time limit of its own: only the wait for each byte is limited. */
  void free() {
    bound = Bound.FREE;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (bound != Bound.WITHIN_PART) {
      socket.waitForNext();
      int count = in.read(bytes, offset, length);
      if (bound == Bound.BEFORE_PART) {
        beginNow();
      }
      return count;
    }
    long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    if (left <= 0) {
      throw new SocketTimeoutException("a call was not complete in time");
    }
    socket.waitAtMost((int) left);
    return in.read(bytes, offset, length);
  }

  @Override
  public int available() throws IOException {
    return in.available();
  }
}
