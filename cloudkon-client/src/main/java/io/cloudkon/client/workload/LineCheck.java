package io.cloudkon.client.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks task lines that arrive one by one, in either format, by the rules of a workload, and
 * converts them into lines of a spool. A bad line changes nothing, so that the next one can be
 * checked. Not thread safe.
 */
public final class LineCheck implements Closeable {
  private final WorkloadLimits limits;
  private final TextLineParser text = new TextLineParser();
  private final TaskDraft draft = new TaskDraft(true);
  private final LineEncoding utf8 = new LineEncoding();
  private final TaskIds ids;
  private JsonLineParser json;

  /**
   * Creates a check that has seen no line yet.
   *
   * @param checks the checks of the run
   * @param spool the spool to which the lines are written, for comparing ids
   */
  public LineCheck(RunChecks checks, WorkloadSource spool) {
    this.limits = checks.limits();
    this.json = new JsonLineParser(limits.maxRetries());
    this.ids = new TaskIds(offset -> idAt(spool, offset));
  }

  private static String idAt(WorkloadSource spool, long offset) {
    try (TaskReader reader =
        LaterPass.from(
            spool,
            WorkloadLimits.DEFAULT.withSmallBlocks(),
            WorkloadFormat.JSONL,
            offset,
            0,
            1,
            false)) {
      if (!reader.advance()) {
        throw FileSource.changed(spool.name(), null);
      }
      return String.valueOf(reader.draft().id);
    }
  }

  /** A line and its number. */
  public record Line(byte[] bytes, int from, int to, long number) {}

  /**
   * Checks lines that belong together: either all are accepted or none. Their ids count as used
   * only after {@link #taken}.
   *
   * @return a line for each task; none for blank lines and comments
   * @throws UsageException if a line is bad; says what is wrong with the first one and what was
   *     expected
   */
  public List<CheckedLine> check(List<Line> lines) {
    ids.forget();
    List<CheckedLine> checked = new ArrayList<>(lines.size());
    for (Line line : lines) {
      try {
        check(line).ifPresent(checked::add);
      } catch (BadLineException e) {
        json = new JsonLineParser(limits.maxRetries());
        String which =
            lines.size() == 1 ? "" : "task %d of %d: ".formatted(checked.size() + 1, lines.size());
        throw new UsageException(which + e.getMessage(), e);
      }
    }
    return checked;
  }

  /** Why lines cannot be taken for which there is no memory. */
  public static UsageException lackOfMemory() {
    BadLineException e = BadLineException.lackOfMemory();
    return new UsageException(String.valueOf(e.getMessage()), e);
  }

  private Optional<CheckedLine> check(Line line) throws BadLineException {
    try {
      return convert(line);
    } catch (OutOfMemoryError e) {
      // One line must not end what others wait for.
      throw BadLineException.lackOfMemory();
    }
  }

  private Optional<CheckedLine> convert(Line line) throws BadLineException {
    byte[] bytes = line.bytes();
    int start = LineParser.skipBlanks(bytes, line.from(), line.to());
    int end = LineParser.trimEnd(bytes, start, line.to());
    boolean object = start < end && bytes[start] == '{';
    draft.begin(end - start);
    checkBytes(bytes, start, end);
    LineParser parser = object ? json : text;
    if (!parser.parse(bytes, start, end, draft)) {
      return Optional.empty();
    }
    checkRanks();
    if (limits.files().isPresent()) {
      limits.files().get().check(draft);
    }
    boolean given = draft.id != null;
    Task task = draft.task(0, line.number());
    ids.announce(draft.id, line.number());
    byte[] written = object ? withId(bytes, start, end, given, task.id()) : ofText(task);
    boolean stored = draft.hasFiles() || FirstPass.isLarge(task);
    return Optional.of(new CheckedLine(written, task.id(), given, line.number(), stored));
  }

  /** Makes the checks of a {@link LineReader}, because these lines may not come from one. */
  private void checkBytes(byte[] bytes, int start, int end) throws BadLineException {
    if (end - start > limits.maxLineBytes()) {
      throw LineReader.tooLong(limits.maxLineBytes());
    }
    for (int i = start; i < end; i++) {
      if (bytes[i] == '\n') {
        throw new BadLineException("the task holds a line end", "expected it in one line");
      }
      if (bytes[i] == 0) {
        throw LineEncoding.binary("a NUL byte");
      }
    }
    utf8.check(bytes, start, end);
  }

  private void checkRanks() throws BadLineException {
    if (draft.ranks > limits.slots()) {
      throw FirstPass.tooManyRanks(draft.ranks, limits.slots());
    }
  }

  private static byte[] withId(byte[] bytes, int start, int end, boolean given, String id) {
    byte[] before = given ? new byte[0] : ("{\"id\":\"" + id + "\",").getBytes(UTF_8);
    int from = given ? start : start + 1;
    byte[] line = new byte[before.length + end - from];
    System.arraycopy(before, 0, line, 0, before.length);
    System.arraycopy(bytes, from, line, before.length, end - from);
    return line;
  }

  private static byte[] ofText(Task task) throws BadLineException {
    try {
      return TaskLine.of(task).getBytes(UTF_8);
    } catch (UnwritableTaskException e) {
      throw new BadLineException(String.valueOf(e.getMessage()), "expected it in JSON");
    }
  }

  /** Records that a checked line was written to the spool at this offset. */
  public void taken(CheckedLine line, long offset) {
    ids.add(line.id(), line.given(), line.number(), offset);
  }

  @Override
  public void close() {
    ids.close();
  }
}
