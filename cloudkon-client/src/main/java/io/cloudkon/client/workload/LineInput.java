package io.cloudkon.client.workload;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a stream as those of a workload are read, and continues after a bad line. A
 * last line without a line end is a bad one: if its writer was killed, it may be a part of another
 * task, such as one that removes less. Holds one line in memory. Used by one thread.
 */
public final class LineInput {
  private final LineReader lines;
  private boolean refused;

  /** Reads the lines of a stream, which is not closed. */
  public LineInput(InputStream in) {
    this.lines = new LineReader(in, WorkloadLimits.DEFAULT, 0, 1);
  }

  /**
   * The next line, valid until the next call; null at the end.
   *
   * @throws UsageException if the line cannot belong to a workload; {@link #number} is its number
   * @throws IOException if the stream cannot be read
   */
  public LineCheck.@Nullable Line next() throws IOException {
    try {
      if (refused) {
        refused = false;
        lines.skip();
      }
      if (!lines.next()) {
        return null;
      }
      if (!lines.hasEnd() && !lines.isNothing()) {
        throw new BadLineException(
            "the line has no line end, so it may be a part of one",
            "expected a line end after each task, the last one too");
      }
      return new LineCheck.Line(lines.bytes(), lines.start(), lines.end(), lines.number());
    } catch (BadLineException e) {
      refused = true;
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The number of the line that was last read or refused, from 1. */
  public long number() {
    return lines.number();
  }
}
