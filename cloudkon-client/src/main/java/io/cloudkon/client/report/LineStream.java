package io.cloudkon.client.report;

import java.io.IOException;
import java.io.InputStream;

/**
 * The lines of a file as one stream each, so that no line need be held whole: a stream ends where
 * its line does, and {@link #next} goes on to the following one. Not thread safe.
 */
final class LineStream extends InputStream {
  private final InputStream in;
  private final byte[] buffer = new byte[64 * 1024];
  private int at;
  private int end;
  private boolean endOfLine = true;
  private boolean zeros;
  private long offset;

  LineStream(InputStream in) {
    this.in = in;
  }

  /** Skips what is left of this line; false if there is no other one. */
  boolean next() throws IOException {
    while (!endOfLine) {
      skipPart();
    }
    if (at == end && !fill()) {
      return false;
    }
    endOfLine = false;
    zeros = false;
    return true;
  }

  /** Where reading has come to, in bytes from the beginning of the file. */
  long offset() {
    return offset;
  }

  /** Whether this line holds a byte 0, which no line has that was written whole. */
  boolean zeros() throws IOException {
    while (!endOfLine) {
      skipPart();
    }
    return zeros;
  }

  private void skipPart() throws IOException {
    byte[] unused = new byte[8 * 1024];
    var more = read(unused, 0, unused.length);
    endOfLine |= more < 0;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (endOfLine || (at == end && !fill())) {
      endOfLine = true;
      return -1;
    }
    int read = 0;
    while (read < length && at < end) {
      byte b = buffer[at++];
      offset++;
      if (b == '\n') {
        endOfLine = true;
        break;
      }
      zeros |= b == 0;
      to[from + read++] = b;
    }
    return read == 0 ? -1 : read;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
