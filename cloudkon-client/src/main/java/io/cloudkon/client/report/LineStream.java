package io.cloudkon.client.report;

import java.io.IOException;
import java.io.InputStream;

/**
 * Reads each line of a file as a stream of its own, so that no line is held in memory: the stream
 * ends with its line, and {@link #next} continues with the next one. Not thread safe.
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

  /** Skips the rest of this line; false if there is no next one. */
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

  /** The current position, in bytes from the beginning of the file. */
  long offset() {
    return offset;
  }

  /** Whether this line holds a zero byte, which no completely written line does. */
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
