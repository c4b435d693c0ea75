package io.cloudkon.client.report;

import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.model.TaskResult;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes results to a stream as they come, as the lines of {@code results.jsonl}. Blocks while the
 * stream does. Thread safe.
 */
public final class ResultLines implements ResultSink {
  private static final int FLUSH_AT = 64 * 1024;

  private static final byte[] BEGIN = JsonBytes.ascii("{");
  private static final byte[] LINE = JsonBytes.ascii("\"line\":");
  private static final byte[] NEXT = JsonBytes.ascii(",");
  private static final byte[] ERROR = JsonBytes.ascii("\"error\":");
  private static final byte[] END = JsonBytes.ascii("}\n");

  private final OutputStream to;
  private final String name;
  private final String advice;
  private final ResultLine line = new ResultLine(FilesFolder::of);
  private final JsonBytes buffer = new JsonBytes(2 * FLUSH_AT);

  /**
   * Writes lines to a stream.
   *
   * @param to the stream, which is not closed here
   * @param name the stream's name in errors
   * @param advice the end of the message if it cannot be written to, which says what to do; may be
   *     empty
   */
  public ResultLines(OutputStream to, String name, String advice) {
    this.to = to;
    this.name = name;
    this.advice = advice;
  }

  /** One result's line, without its end. */
  public static String line(
      BundleTimes times, String worker, int attempt, TaskResult result, long clockOffsetMicros) {
    JsonBytes json = new JsonBytes(1024);
    new ResultLine(FilesFolder::of).write(json, times, worker, attempt, result, clockOffsetMicros);
    return new String(json.array(), 0, json.size() - 1, StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void accept(
      BundleTimes times, String worker, int attempt, TaskResult result, long clockOffsetMicros) {
    line.write(buffer, times, worker, attempt, result, clockOffsetMicros);
    if (buffer.size() >= FLUSH_AT) {
      flush();
    }
  }

  /**
   * Writes that a line of input was refused, after the results so far, and flushes.
   *
   * @param number the line's number; 0 if the error is not about a line
   * @param why the reason, for people
   */
  public synchronized void refuse(long number, String why) {
    buffer.raw(BEGIN);
    if (number > 0) {
      buffer.raw(LINE).number(number).raw(NEXT);
    }
    buffer.raw(ERROR).string(why).raw(END);
    flush();
  }

  /** Passes what was accepted to the stream's reader; does not wait for a disk. */
  @Override
  public synchronized void flushAndSync() {
    flush();
  }

  private void flush() {
    try {
      to.write(buffer.array(), 0, buffer.size());
      to.flush();
      buffer.clear(2 * FLUSH_AT);
    } catch (IOException e) {
      throw new LocalFileException(
          "results cannot be written to %s: %s%s".formatted(name, e.getMessage(), advice), e);
    }
  }

  @Override
  public void close() {}
}
