package io.cloudkon.client.workload;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Task;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tasks of a workload in the order of its lines. Used by one thread at a time. Holds one
 * block and one line of the file in memory, whatever the file's length. Must be closed.
 */
public final class TaskReader implements Closeable {
  private final LineReader lines;
  private final WorkloadLimits limits;
  private final TaskDraft draft;
  private final Pass pass;
  private @Nullable LineParser parser;
  private @Nullable CloudKonException failure;
  private int nextOrdinal;
  private boolean atEnd;

  TaskReader(
      LineReader lines,
      WorkloadLimits limits,
      WorkloadFormat format,
      int firstOrdinal,
      TaskDraft draft,
      Pass pass) {
    this.lines = lines;
    this.limits = limits;
    this.parser = format == WorkloadFormat.AUTO ? null : LineParser.of(format, limits);
    this.nextOrdinal = firstOrdinal;
    this.draft = draft;
    this.pass = pass;
  }

  /**
   * The next task, or null at the end of the workload.
   *
   * @throws io.cloudkon.core.error.UsageException if the workload is read for the first time
   *     ({@link Workload#stream}) and a line is not a task, or an id turns out to be repeated
   * @throws CloudKonException if the workload has changed since it was checked, or cannot be read
   */
  public @Nullable Task next() {
    return advance() ? draft.task(nextOrdinal - 1, lines.number()) : null;
  }

  /**
   * The offset of the line of the last returned task, in bytes from the beginning of the file;
   * after the end, the length of the file.
   */
  public long offset() {
    return lines.offset();
  }

  /** The {@code values} of the last returned task; empty if its line has none. */
  public List<String> values() {
    return List.copyOf(draft.values);
  }

  /** The number of the line of the last returned task, from 1. */
  public long line() {
    return lines.number();
  }

  /**
   * Whether {@link #next} returns without waiting for the next task's line to be written. True if
   * the workload was read before, and if the next line may be bad.
   */
  public boolean ready() {
    if (!pass.mayWait() || failure != null || atEnd) {
      return true;
    }
    try {
      return lines.ready();
    } catch (IOException | BadLineException e) {
      return true; // next() will report it
    }
  }

  /** Moves to the next task without creating it; returns false at the end. */
  boolean advance() {
    if (failure != null) {
      throw failure;
    }
    try {
      return !atEnd && findTask();
    } catch (BadLineException e) {
      failure = pass.bad(lines.number(), e);
    } catch (IOException e) {
      failure = pass.unreadable(e);
    } catch (CloudKonException e) {
      failure = e;
    }
    throw failure;
  }

  /** The draft of the task to which {@link #advance()} moved. */
  TaskDraft draft() {
    return draft;
  }

  private boolean findTask() throws IOException, BadLineException {
    while (lines.next()) {
      if (parser == null) {
        parser = chosenParser();
      }
      if (parser != null && take(parser)) {
        nextOrdinal++;
        return true;
      }
    }
    atEnd = true;
    pass.end(lines.offset());
    return false;
  }

  private boolean take(LineParser from) throws BadLineException {
    draft.begin(lines.end() - lines.start());
    try {
      boolean task = from.parse(lines.bytes(), lines.start(), lines.end(), draft);
      if (task) {
        pass.task(draft, lines.number(), lines.offset());
      }
      return task;
    } catch (OutOfMemoryError e) {
      if (draft.mayBeLarge) {
        throw BadLineException.lackOfMemory();
      }
      throw e;
    }
  }

  /** The parser for the format of the current line, or null if the line is blank. */
  private @Nullable LineParser chosenParser() {
    byte[] bytes = lines.bytes();
    int start = LineParser.skipBlanks(bytes, lines.start(), lines.end());
    if (start == lines.end()) {
      return null;
    }
    WorkloadFormat format = WorkloadFormat.ofFirstLine(bytes, start, lines.end());
    pass.format(format);
    return LineParser.of(format, limits);
  }

  /** Releases the file. */
  @Override
  public void close() {
    pass.close();
    try {
      lines.close();
    } catch (IOException e) {
      throw pass.unreadable(e);
    }
  }
}
