package io.cloudkon.client.workload;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * Splits a stream into lines without making objects of them: a line is a range of {@link #bytes()},
 * valid until the next call of {@link #next()}. Accepts LF and CRLF, a last line without either,
 * and a byte order mark at the very beginning. Holds at most one line and one block, and room for
 * as much again while a long line is read.
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

  /** Where the first byte of the buffer lies in the file. */
  private long base;

  private int following;
  private int start;
  private int end;
  private long offset;
  private long number;

  /**
   * Reads from where the stream stands.
   *
   * @param offset where that is in the file
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

  /** Where the current line begins in {@link #bytes()}. */
  int start() {
    return start;
  }

  /** Where the current line ends in {@link #bytes()}, without its line end. */
  int end() {
    return end;
  }

  /** The number of the current line, or of the line that was refused. */
  long number() {
    return number;
  }

  /** Where the current line begins in the file; at the end of the file, its length. */
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
        // Bytes above 127 are negative, so that plain ASCII takes one comparison.
        if (c <= '\n') {
          if (c == '\n') {
            break;
          }
          high |= c < 0;
          nul |= c == 0;
        }
      }
      boolean found = i < limit;
      // A NUL byte is refused wherever the line may end: most binary files have few line ends.
      if (found || atEnd || nul || i - following > maxLine + 1) {
        if (!found && i == following) {
          return false;
        }
        number++;
        accept(i, high, nul);
        following = found ? i + 1 : i;
        return true;
      }
      i -= fill();
    }
  }

  /** Moves behind the line that {@link #next} has refused, without holding it. */
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
   * Whether {@link #next} finds a line that is more than blanks or a comment without waiting for
   * anybody to write it. Reads what is there; the current line is valid no more.
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

  /** Lets go of a buffer that one long line has made large. */
  private void shrink() {
    if (buffer.length > LARGE_BLOCKS * block && limit - following <= block) {
      moveDown(new byte[LARGE_BLOCKS * block]);
    }
  }

  /** Reads more behind what is there; returns by how much the current line moved down. */
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

  /** Moves what was not taken yet to the beginning of a buffer, which may be the same one. */
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
