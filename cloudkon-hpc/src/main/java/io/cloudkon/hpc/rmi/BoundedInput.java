package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * Input whose parts are complete in time, or not at all: however slowly somebody sends, a part
 * takes no longer than {@value #PART_MILLIS} ms from its first byte. The wait for that byte is the
 * connection's own, and so is the wait for each byte of what is {@linkplain #free free}.
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

  /** What is read from here on is one part; it begins with its first byte. */
  void begin() {
    bound = Bound.BEFORE_PART;
  }

  /** What is read from here on is one part, and it has begun. */
  void beginNow() {
    bound = Bound.WITHIN_PART;
    deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PART_MILLIS);
  }

  /** What is read from here on may take its time, as long as something comes. */
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
      throw new SocketTimeoutException("a call that does not come to its point");
    }
    socket.waitAtMost((int) left);
    return in.read(bytes, offset, length);
  }

  @Override
  public int available() throws IOException {
    return in.available();
  }
}
