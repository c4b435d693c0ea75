package io.cloudkon.client.workload;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * Splits a stream into lines without creating an object for each: a line is a range of {@link
 * #bytes()}, valid until the next call of {@link #next()}. Accepts LF and CRLF, a last line without
 * either, and a byte order mark at the very beginning. Holds at most one line and one block in
 * memory, and up to twice as much while a long line is read.
 */
final class LineReader implements Closeable {
  /** A buffer of more blocks than this is not kept for shorter lines. */
  private static final int LARGE_BLOCKS = 4;

  private final InputStream in;
  private final int maxLine;
  private final int block;
  private final LineEncoding utf8 = new LineEncoding();

  private byte[] buffer;
  private int limit;
  private boolean atEnd;

  /** The offset in the file of the buffer's first byte. */
  private long base;

  private int following;
  private int start;
  private int end;
  private long offset;
  private long number;
  private boolean ended;

  /**
   * Reads from the stream's current position.
   *
   * @param offset the offset of that position in the file
   * @param number the number of the line that begins there
   */
  LineReader(InputStream in, WorkloadLimits limits, long offset, long number) {
    this.in = in;
    this.maxLine = limits.maxLineBytes();
    this.block = limits.blockBytes();
    this.buffer = new byte[block];
    this.base = offset;
    this.offset = offset;
    this.number = number - 1;
  }

  byte[] bytes() {
    return buffer;
  }

  /** The start of the current line in {@link #bytes()}. */
  int start() {
    return start;
  }

  /** The end of the current line in {@link #bytes()}, without its line end. */
  int end() {
    return end;
  }

  /** The number of the current line, or of the line that was refused. */
  long number() {
    return number;
  }

  /** The offset of the current line in the file; at the end of the file, the length of the file. */
  long offset() {
    return offset;
  }

  /** Moves to the next line; false at the end of the file. */
  boolean next() throws IOException, BadLineException {
    shrink();
    offset = base + following;
    boolean high = false;
    boolean nul = false;
    int i = following;
    while (true) {
      byte[] b = buffer;
      byte c = 0;
      for (; i < limit; i++) {
        c = b[i];
        // Bytes above 127 are negative, so plain ASCII takes only one comparison.
        if (c <= '\n') {
          if (c == '\n') {
            break;
          }
          high |= c < 0;
          nul |= c == 0;
        }
      }
      boolean found = i < limit;
      // A NUL byte is refused before the end of the line is found, because most binary files have
      // few line ends.
      if (found || atEnd || nul || i - following > maxLine + 1) {
        if (!found && i == following) {
          return false;
        }
        number++;
        ended = found;
        accept(i, high, nul);
        following = found ? i + 1 : i;
        return true;
      }
      i -= fill();
    }
  }

  /** Whether the current line has a line end; false only for the last one. */
  boolean hasEnd() {
    return ended;
  }

  /** Whether the current line is blank or a comment. */
  boolean isNothing() {
    return isNothing(start, end);
  }

  /** Skips the rest of the line that {@link #next} refused, without holding it in memory. */
  void skip() throws IOException, BadLineException {
    while (true) {
      for (int i = following; i < limit; i++) {
        if (buffer[i] == '\n') {
          following = i + 1;
          return;
        }
      }
      following = limit;
      if (atEnd) {
        return;
      }
      fill();
    }
  }

  /**
   * Whether {@link #next} finds a line other than blanks or a comment without waiting for it to be
   * written. Reads the available bytes; the current line becomes invalid.
   */
  boolean ready() throws IOException, BadLineException {
    int from = following;
    while (true) {
      for (int i = from; i < limit; i++) {
        if (buffer[i] == '\n') {
          if (!isNothing(from, i)) {
            return true;
          }
          from = i + 1;
        }
      }
      if (atEnd) {
        return true;
      }
      if (in.available() == 0) {
        return false;
      }
      from -= fill();
    }
  }

  private boolean isNothing(int from, int to) {
    int start = LineParser.skipBlanks(buffer, from, to);
    return start == to || buffer[start] == '#' || buffer[start] == '\r';
  }

  private void accept(int lineEnd, boolean high, boolean nul) throws BadLineException {
    if (nul) {
      throw LineEncoding.binary("a NUL byte");
    }
    start = following;
    end = lineEnd > start && buffer[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    if (end - start > maxLine) {
      throw tooLong(maxLine);
    }
    if (high) {
      if (offset == 0 && LineEncoding.hasByteOrderMark(buffer, start, end)) {
        start += LineEncoding.BYTE_ORDER_MARK_LENGTH;
      }
      utf8.check(buffer, start, end);
    }
  }

  static BadLineException tooLong(int maxLine) {
    return new BadLineException(
        "the line is longer than " + maxLine + " bytes",
        "expected less: put large input into a file that the task reads");
  }

  /** Releases a buffer that a long line has enlarged. */
  private void shrink() {
    if (buffer.length > LARGE_BLOCKS * block && limit - following <= block) {
      moveDown(new byte[LARGE_BLOCKS * block]);
    }
  }

  /** Reads more bytes to the end of the buffer; returns how far the current line moved down. */
  private int fill() throws IOException, BadLineException {
    int moved = following;
    if (moved > 0) {
      moveDown(buffer);
    }
    if (limit == buffer.length) {
      moveDown(larger());
    }
    int read = in.read(buffer, limit, buffer.length - limit);
    if (read < 0) {
      atEnd = true;
    } else {
      limit += read;
    }
    return moved;
  }

  private byte[] larger() throws BadLineException {
    try {
      return new byte[Math.min(2 * limit, Math.max(limit + 1, maxLine + 2))];
    } catch (OutOfMemoryError e) {
      number++;
      throw BadLineException.lackOfMemory();
    }
  }

  /** Moves the unread bytes to the beginning of a buffer, which may be the same one. */
  private void moveDown(byte[] to) {
    System.arraycopy(buffer, following, to, 0, limit - following);
    buffer = to;
    base += following;
    limit -= following;
    following = 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
