package io.cloudkon.client.workload;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Work;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A workload: the tasks of one run, in a file or from standard input.
 *
 * <p>{@link #open} checks it completely before it can be used; then any number of readers may read
 * it again. {@link #stream} returns tasks as they are read. Both passes use the same parser, so
 * that accepted tasks can be read. The workload is not held in memory: standard input is kept in a
 * private temporary file, which {@link #close()} removes.
 *
 * <p>A mistake in it is reported by a {@link io.cloudkon.core.error.UsageException} of one line,
 * {@code FILE:LINE: what is wrong; what was expected}. A failure after it was accepted, such as a
 * change of the file or a failing disk, is a {@link CloudKonException}.
 *
 * <p>Ids are unique. The id of a task without one is the number of its line, counted from 1 and
 * including blank lines and comments. A given id that equals the line number of a task without an
 * id is refused like any repeated id. If every task has an id, any numbers are allowed.
 *
 * <p>May be used by several threads; each {@link TaskReader} by one at a time.
 */
public final class Workload implements Closeable {
  /** The longest line, in bytes without its line end: 256 MiB. */
  public static final int MAX_LINE_BYTES = Limits.LINE_BYTES;

  /** The largest number of tasks in one workload. */
  public static final int MAX_TASKS = Limits.TASKS_PER_RUN;

  private static final String SPOOL = "spool";

  private final WorkloadSource source;
  private final WorkloadLimits limits;
  private final FirstPass first;

  /** The reader of a stream, until it is returned by {@link #read}. */
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
   * @throws io.cloudkon.core.error.UsageException if it cannot be read or is not a workload
   */
  public static Workload open(String fileOrDash, InputStream stdin, WorkloadFormat format) {
    return open(Sources.of(fileOrDash, stdin), format, WorkloadLimits.DEFAULT);
  }

  /**
   * Opens a workload for a run with the given consistency and checks all of it: under at-most-once,
   * tasks with retries are refused.
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
   * Opens a workload in JSON Lines that is not in a file, and checks all of it.
   *
   * @param name the name in messages
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
        // The task is accepted and counted.
      }
    } catch (Throwable e) {
      workload.close();
      throw e;
    }
    return workload;
  }

  /**
   * Opens a workload whose tasks are used as they are read. The first reader makes the checks and
   * throws at the first bad line. A repeated id is detected at once if it comes within 200,000 ids
   * of the first, otherwise at the end of the workload.
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
   * Opens a workload in JSON Lines that grows while its tasks are used. Its first reader waits for
   * further lines.
   *
   * @param spool contains checked lines with distinct ids; closed with the workload
   */
  public static Workload growing(WorkloadSource spool) {
    return stream(spool, WorkloadFormat.JSONL, WorkloadLimits.DEFAULT);
  }

  /**
   * Opens the spool of a growing workload as its client left it. Ends before the first line with a
   * NUL byte, which a power failure may leave in lines that were not synced, unless that line or a
   * later one was sent.
   *
   * @param sent the number of tasks that the client put into bundles; asked only if there is such a
   *     line
   * @throws io.cloudkon.core.error.UsageException if it cannot be read
   */
  public static Workload openSpool(Path file, LongSupplier sent) {
    return open(Sources.spool(file, sent), WorkloadFormat.JSONL, WorkloadLimits.DEFAULT);
  }

  /** Whether a digest from {@link #digest} is that of a growing workload. */
  public static boolean isSpool(String digest) {
    return digest.equals(SPOOL);
  }

  /**
   * Identifies the workload: the SHA-256 of its bytes in hex. Empty for a stream that has not
   * ended, and a fixed word for a growing workload that has not ended.
   */
  public String digest() {
    return summary().map(WorkloadSummary::sha256).orElse(grows() ? SPOOL : "");
  }

  /** Whether tasks are, or were, added while it is used. */
  public boolean grows() {
    return source.tasksSoFar().isPresent();
  }

  /** The number of tasks that is known now; negative if unknown. */
  public long knownTasks() {
    return summary()
        .map(summary -> (long) summary.tasks())
        .orElseGet(() -> source.tasksSoFar().orElse(-1));
  }

  /** The summary of the whole workload; empty only while a stream has not reached its end. */
  public Optional<WorkloadSummary> summary() {
    return Optional.ofNullable(first.summary());
  }

  /** The format; {@link WorkloadFormat#AUTO} while a first line that decides was not read. */
  public WorkloadFormat format() {
    return first.format();
  }

  /** The kinds of work that it contains; for a stream that has not ended, those that were read. */
  public Set<Work.Kind> kinds() {
    return first.kinds();
  }

  /**
   * Starts a pass over all tasks. For a stream, the first call returns the reader that makes the
   * checks; another pass is possible when that reader has reached the end.
   *
   * @throws CloudKonException if the file has changed since it was opened
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
   * A reader that begins at a given task, for sending a range again. For a stream, only tasks that
   * its reader has returned may be read.
   *
   * @param offset the offset of the task's line, from {@link TaskReader#offset()}
   * @param ordinal the task's ordinal
   * @param line the number of its line, from {@link TaskReader#line()}
   * @throws CloudKonException if the file has changed since it was opened
   */
  public TaskReader readFrom(long offset, int ordinal, long line) {
    return LaterPass.from(source, limits, first.format(), offset, ordinal, line, true);
  }

  /**
   * A reader like that of {@link #readFrom}, but for a single task: it reads small blocks.
   *
   * @throws CloudKonException if the file has changed since it was opened
   */
  public TaskReader readOne(long offset, int ordinal, long line) {
    return LaterPass.from(
        source, limits.withSmallBlocks(), first.format(), offset, ordinal, line, true);
  }

  /**
   * Writes the workload's bytes to a file that only its owner may read, and syncs it to disk.
   * Replaces an existing file.
   *
   * @throws CloudKonException if the workload has changed since it was opened
   */
  public void copyTo(Path file) throws IOException {
    Files.deleteIfExists(file);
    try (InputStream in = source.again(0);
        FileOutputStream out =
            new FileOutputStream(Files.createFile(file, OwnerOnly.attributes()).toFile())) {
      in.transferTo(out);
      out.getFD().sync();
    }
  }

  /** Removes the temporary files. Readers that are still open must not be used any more. */
  @Override
  public synchronized void close() {
    if (streaming != null) {
      streaming.close();
      streaming = null;
    }
    try {
      source.close();
    } catch (IOException e) {
      throw new LocalFileException(
          source.name() + ": its temporary copy cannot be removed: " + e.getMessage(), e);
    }
  }
}
