package io.cloudkon.client.workload;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Work;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A workload: the tasks of one run, in a file or from standard input.
 *
 * <p>{@link #open} checks it whole before anything else can be done with it, then any number of
 * readers may read it again; {@link #stream} hands tasks out as they are read. Both passes share
 * one parser, so that what was accepted can be read. Nothing of it is held in memory: standard
 * input is kept in a private temporary file, which {@link #close()} removes.
 *
 * <p>Every mistake in it is a {@link io.cloudkon.core.error.UsageException} of one line, {@code
 * FILE:LINE: what is wrong; what was expected}. What happens after it was accepted, a change of the
 * file or a disk that fails, is a {@link CloudKonException}.
 *
 * <p>Ids are unique. A task without one has as id the number of its line, counted from 1 with blank
 * lines and comments; a given id that is written like the line number of a task without id repeats
 * it, and is refused like any repeated id. In a workload where every task has an id, any numbers
 * will do.
 *
 * <p>May be used by several threads; each {@link TaskReader} by one at a time.
 */
public final class Workload implements Closeable {
  /** The longest line, in bytes without its line end: 256 MiB. */
  public static final int MAX_LINE_BYTES = Limits.LINE_BYTES;

  /** The most tasks of one workload. */
  public static final int MAX_TASKS = Limits.TASKS_PER_RUN;

  private static final String SPOOL = "spool";

  private final WorkloadSource source;
  private final WorkloadLimits limits;
  private final FirstPass first;

  /** The reader of a stream, until it is handed out. */
  private @Nullable TaskReader waiting;

  private @Nullable TaskReader streaming;

  private Workload(WorkloadSource source, WorkloadFormat format, WorkloadLimits limits) {
    this.source = source;
    this.limits = limits;
    this.first = new FirstPass(source, format, limits);
  }

  /**
   * Opens a workload and checks all of it.
   *
   * @param fileOrDash a path, or {@code -} for standard input
   * @param stdin read to its end if the path is {@code -}; never closed
   * @param format the format, or {@link WorkloadFormat#AUTO}
   * @throws io.cloudkon.core.error.UsageException if it cannot be read or is no workload
   */
  public static Workload open(String fileOrDash, InputStream stdin, WorkloadFormat format) {
    return open(Sources.of(fileOrDash, stdin), format, WorkloadLimits.DEFAULT);
  }

  /**
   * Opens a workload for a run of some consistency and checks all of it: where tasks may start at
   * most once, a task that asks for retries is refused.
   *
   * @see #open(String, InputStream, WorkloadFormat)
   */
  public static Workload open(
      String fileOrDash, InputStream stdin, WorkloadFormat format, Consistency consistency) {
    return open(Sources.of(fileOrDash, stdin), format, WorkloadLimits.of(consistency));
  }

  /**
   * The same with all checks of a run.
   *
   * @see #open(String, InputStream, WorkloadFormat)
   */
  public static Workload open(
      String fileOrDash, InputStream stdin, WorkloadFormat format, RunChecks checks) {
    return open(Sources.of(fileOrDash, stdin), format, checks.limits());
  }

  /**
   * Opens a workload in JSON Lines that is in no file, and checks all of it.
   *
   * @param name as messages name it
   * @param lines read to its end; closed with the workload
   * @see #open(String, InputStream, WorkloadFormat, RunChecks)
   */
  public static Workload open(String name, InputStream lines, RunChecks checks) {
    return open(new SpoolSource(name, lines, true), WorkloadFormat.JSONL, checks.limits());
  }

  static Workload open(WorkloadSource source, WorkloadFormat format, WorkloadLimits limits) {
    Workload workload = new Workload(source, format, limits);
    try (TaskReader reader = workload.first.reader(false)) {
      while (reader.advance()) {
        // Accepted and counted.
      }
    } catch (Throwable e) {
      workload.close();
      throw e;
    }
    return workload;
  }

  /**
   * Opens a workload whose tasks are to be used as they are read. The first reader then makes the
   * checks: it throws at the first bad line. A repeated id shows at once if it comes within 200,000
   * ids of the first, else at the end of the workload.
   *
   * @param fileOrDash a path, or {@code -} for standard input
   * @param stdin read if the path is {@code -}; never closed
   * @param format the format, or {@link WorkloadFormat#AUTO}
   * @throws io.cloudkon.core.error.UsageException if it cannot be opened
   */
  public static Workload stream(String fileOrDash, InputStream stdin, WorkloadFormat format) {
    return stream(Sources.of(fileOrDash, stdin), format, WorkloadLimits.DEFAULT);
  }

  /**
   * The same with all checks of a run.
   *
   * @see #stream(String, InputStream, WorkloadFormat)
   */
  public static Workload stream(
      String fileOrDash, InputStream stdin, WorkloadFormat format, RunChecks checks) {
    return stream(Sources.of(fileOrDash, stdin), format, checks.limits());
  }

  static Workload stream(WorkloadSource source, WorkloadFormat format, WorkloadLimits limits) {
    Workload workload = new Workload(source, format, limits);
    try {
      TaskReader reader = workload.first.reader(true);
      workload.waiting = reader;
      workload.streaming = reader;
    } catch (Throwable e) {
      workload.close();
      throw e;
    }
    return workload;
  }

  /**
   * Opens a workload that grows while its tasks are used, in JSON Lines. Its first reader waits for
   * lines that are still to come.
   *
   * @param spool whose lines were checked, each with an id of its own; closed with the workload
   */
  public static Workload growing(WorkloadSource spool) {
    return stream(spool, WorkloadFormat.JSONL, WorkloadLimits.DEFAULT);
  }

  /**
   * Opens the spool that a workload has grown in, as it was left.
   *
   * @throws io.cloudkon.core.error.UsageException if it cannot be read
   */
  public static Workload openSpool(Path file) {
    return open(Sources.spool(file), WorkloadFormat.JSONL, WorkloadLimits.DEFAULT);
  }

  /** Whether a digest, as {@link #digest} gave it, is that of tasks which came one by one. */
  public static boolean isSpool(String digest) {
    return digest.equals(SPOOL);
  }

  /**
   * What tells whether a workload is the same: the SHA-256 of its bytes, hex; empty of a stream,
   * which cannot be read again, until it has ended; one word of a workload that grows.
   */
  public String digest() {
    return summary().map(WorkloadSummary::sha256).orElse(grows() ? SPOOL : "");
  }

  /** Whether tasks come, or came, one by one while it is used. */
  public boolean grows() {
    return source.tasksSoFar().isPresent();
  }

  /** How many tasks there are, as far as is known now; negative if that is not known at all. */
  public long knownTasks() {
    return summary()
        .map(summary -> (long) summary.tasks())
        .orElseGet(() -> source.tasksSoFar().orElse(-1));
  }

  /** What the whole workload holds; empty only while a stream has not reached its end. */
  public Optional<WorkloadSummary> summary() {
    return Optional.ofNullable(first.summary());
  }

  /** The kinds of work that it holds; of a stream that has not ended, those that were read. */
  public Set<Work.Kind> kinds() {
    return first.kinds();
  }

  /**
   * A pass over all tasks. For a stream the first call answers the reader that makes the checks;
   * there can be another pass when that one has reached the end.
   *
   * @throws CloudKonException if the file changed since it was opened
   */
  public synchronized TaskReader read() {
    if (waiting != null) {
      TaskReader reader = waiting;
      waiting = null;
      return reader;
    }
    WorkloadSummary summary =
        summary().orElseThrow(() -> new IllegalStateException("the stream has not ended yet"));
    return LaterPass.whole(source, limits, first.format(), summary);
  }

  /**
   * A reader that begins at some task, to send a range again. For a stream only tasks that its
   * reader has handed out may be asked of it.
   *
   * @param offset where the task's line begins: {@link TaskReader#offset()} as it was then
   * @param ordinal the task's ordinal
   * @param line the number of its line: {@link TaskReader#line()} as it was then
   * @throws CloudKonException if the file changed since it was opened
   */
  public TaskReader readFrom(long offset, int ordinal, long line) {
    return LaterPass.from(source, limits, first.format(), offset, ordinal, line, true);
  }

  /**
   * A reader like that of {@link #readFrom}, for a single task: it reads little at once.
   *
   * @throws CloudKonException if the file changed since it was opened
   */
  public TaskReader readOne(long offset, int ordinal, long line) {
    return LaterPass.from(
        source, limits.withSmallBlocks(), first.format(), offset, ordinal, line, true);
  }

  /**
   * Writes a file with the same bytes, in the place of any that is there; it is on disk when this
   * returns.
   *
   * @throws CloudKonException if the workload changed since it was opened
   */
  public void copyTo(Path file) throws IOException {
    try (InputStream in = source.again(0);
        FileOutputStream out = new FileOutputStream(file.toFile())) {
      in.transferTo(out);
      out.getFD().sync();
    }
  }

  /** Removes what was written to disk. Readers still open must not be used any more. */
  @Override
  public synchronized void close() {
    if (streaming != null) {
      streaming.close();
      streaming = null;
    }
    try {
      source.close();
    } catch (IOException e) {
      throw new CloudKonException(
          source.name() + ": its temporary copy cannot be removed: " + e.getMessage(), e);
    }
  }
}
