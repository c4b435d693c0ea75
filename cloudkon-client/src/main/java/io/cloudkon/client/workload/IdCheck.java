package io.cloudkon.client.workload;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Ensures that no two tasks of a workload have the same id, whether it is given or is the number of
 * the task's line. Given ids are compared as they are read. A given id can equal another task's
 * line number only if it is written as that number and some task has no id. Only in that case a
 * further pass at the end compares given ids with line numbers.
 */
final class IdCheck implements Closeable {
  private static final int LONGEST_NUMBER = 18;

  private final WorkloadSource source;
  private final WorkloadLimits limits;
  private @Nullable DuplicateIds given;
  private WorkloadFormat format = WorkloadFormat.JSONL;
  private boolean someWithout;
  private long leastNumber = Long.MAX_VALUE;
  private long lastLine;

  IdCheck(WorkloadSource source, WorkloadLimits limits) {
    this.source = source;
    this.limits = limits;
  }

  /** Checks the next task. */
  void task(TaskDraft draft, long line, long offset) throws BadLineException {
    lastLine = line;
    String id = draft.id;
    if (id == null) {
      someWithout = true;
      return;
    }
    leastNumber = Math.min(leastNumber, lineNumberIn(id));
    if (given == null) {
      given = newIds();
    }
    DuplicateIds.Repeat repeat = given.add(id, offset);
    if (repeat != null) {
      throw repeated(id, lineAt(repeat.firstOffset()));
    }
  }

  /** Finishes the check after the last task. */
  void end(WorkloadFormat knownFormat) {
    format = knownFormat;
    if (given != null) {
      refuse(given.finish());
    }
    if (someWithout && leastNumber <= lastLine) {
      compareWithLineNumbers();
    }
  }

  private void compareWithLineNumbers() {
    try (DuplicateIds mixed = newIds();
        TaskReader reader = from(0, 1)) {
      while (reader.advance()) {
        String id = reader.draft().id;
        if (id == null || lineNumberIn(id) <= lastLine) {
          String effective = id == null ? Long.toString(reader.line()) : id;
          refuse(mixed.add(effective, reader.offset()));
        }
      }
      refuse(mixed.finish());
    }
  }

  private void refuse(DuplicateIds.@Nullable Repeat repeat) {
    if (repeat != null) {
      String id = idAt(repeat.secondOffset());
      throw repeated(id, lineAt(repeat.firstOffset()))
          .at(source.name(), lineAt(repeat.secondOffset()));
    }
  }

  private static BadLineException repeated(String id, long firstLine) {
    return new BadLineException(
        "the id " + Excerpt.quote(id) + " is also that of line " + firstLine,
        "expected each id once (a task without id has its line number as id)");
  }

  private DuplicateIds newIds() {
    return new DuplicateIds(limits.idsInMemory(), this::idAt);
  }

  private String idAt(long offset) {
    try (TaskReader reader = from(offset, 1)) {
      if (!reader.advance()) {
        throw FileSource.changed(source.name(), null);
      }
      String id = reader.draft().id;
      return id != null ? id : Long.toString(lineAt(offset));
    }
  }

  private TaskReader from(long offset, long line) {
    return LaterPass.from(source, limits, format, offset, 0, line, false);
  }

  /** The number of the line that begins at an offset; reads the file block by block. */
  private long lineAt(long offset) {
    long line = 1;
    byte[] block = new byte[limits.blockBytes()];
    try (InputStream in = source.again(0)) {
      long left = offset;
      while (left > 0) {
        int read = in.read(block, 0, (int) Math.min(left, block.length));
        if (read < 0) {
          throw FileSource.changed(source.name(), null);
        }
        for (int i = 0; i < read; i++) {
          line += block[i] == '\n' ? 1 : 0;
        }
        left -= read;
      }
    } catch (IOException e) {
      throw Sources.failed(source.name(), e);
    }
    return line;
  }

  /** The line number that an id spells; {@link Long#MAX_VALUE} if it does not spell one. */
  static long lineNumberIn(String id) {
    int length = id.length();
    if (length > LONGEST_NUMBER || id.charAt(0) == '0') {
      return Long.MAX_VALUE;
    }
    long number = 0;
    for (int i = 0; i < length; i++) {
      int digit = id.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return Long.MAX_VALUE;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  @Override
  public void close() {
    if (given != null) {
      given.close();
    }
  }
}
