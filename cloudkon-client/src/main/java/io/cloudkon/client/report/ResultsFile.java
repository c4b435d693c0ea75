package io.cloudkon.client.report;

import io.cloudkon.core.model.TaskResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * {@code results.jsonl}: one JSON object a line, one line per task, in order of completion, UTF-8.
 * Thread safe.
 *
 * <p>Always present: {@code task} (a string: the task's own id, or the number of its line in the
 * workload; one type, so that {@code jq 'select(.task == "17")'} holds for both), {@code index}
 * (the task's position in the run, from 0), {@code status}, {@code worker} (empty if no worker
 * reported the task), {@code attempt}, {@code tries}, and {@code stamps} with the 13 keys of {@link
 * Stamp}: epoch microseconds on the client's clock, in order.
 *
 * <p>Present only if they apply: {@code exitCode} (0 for a task that is not a command and
 * succeeded); {@code startedAt} (ISO 8601, on the client's clock) and {@code seconds} of its last
 * try, if it started; {@code cpuSeconds} of a command, user and system, if the worker's system
 * reports them; {@code maxRssBytes}, its peak memory, if that is above the worker's own; {@code
 * error} for every status but {@code SUCCEEDED}; {@code stdout}, {@code stderr} and {@code output}
 * if the task wrote to them or returned something. Invalid UTF-8 in {@code stdout} and {@code
 * stderr} appears as U+FFFD, and the bytes are in {@code stdoutBase64} or {@code stderrBase64}; an
 * {@code output} that is not UTF-8 is base64 and has {@code "outputEncoding":"base64"} beside it. A
 * stream that was cut at {@code --capture} keeps its beginning, with {@code "stdoutCut":true} and
 * the whole length in {@code stdoutBytes} (likewise {@code stderr…}, {@code output…}).
 *
 * <p>A task that was to bring back files has {@code files}: an object with {@code count} and {@code
 * bytes} of the files brought back; {@code folder}, their path relative to this file's folder;
 * {@code names}, the {@code name} and {@code bytes} of the first thousand of them; {@code
 * leftOutCount}; {@code leftOut}, the {@code name} and {@code why} of the first twenty that were
 * left out; and {@code error}, if they could not be brought back. A task that was to bring back
 * none, but left some, has {@code discardedCount} and {@code discarded}, the first names.
 *
 * <p>An HPC job has {@code ranks}, unless none of them started: for each rank an object with {@code
 * rank}, {@code worker}, {@code exitCode}, and the kept parts of {@code stdout} and {@code stderr}
 * if it wrote to them.
 */
public final class ResultsFile implements ResultSink {
  private static final int WRITE_AT = 256 * 1024;
  private static final int CAPACITY = 2 * WRITE_AT;
  private static final int SPARE = 8;

  private final AppendFile file;
  private final FilesFolder files;

  /** Formatters that no thread uses now. */
  private final Queue<Formatter> spare = new ArrayBlockingQueue<>(SPARE);

  /** For results that come one by one; used with the lock held. */
  private final Formatter single;

  /** Formats lines; used by one thread at a time. */
  private record Formatter(ResultLine line, JsonBytes lines) {
    Formatter(FilesFolder files) {
      this(new ResultLine(files::folderOf), new JsonBytes(CAPACITY));
    }
  }

  private ResultsFile(Path path, AppendFile file) {
    this.file = file;
    this.files = new FilesFolder(path.toAbsolutePath().resolveSibling(""));
    this.single = new Formatter(files);
  }

  /**
   * Creates an empty file, replacing an existing one.
   *
   * @throws io.cloudkon.core.error.CloudKonException if it cannot be written
   */
  public static ResultsFile create(Path path) {
    return new ResultsFile(path, AppendFile.create(path));
  }

  /**
   * Opens a file to continue after its last whole line, or creates it. A partial line that a crash
   * left is cut off: its task was not confirmed, and its result will come again.
   *
   * @throws io.cloudkon.core.error.CloudKonException if it cannot be written
   */
  public static ResultsFile append(Path path) {
    if (!Files.exists(path)) {
      return create(path);
    }
    return new ResultsFile(path, AppendFile.reopen(path, AppendFile.lengthOfWholeLines(path)));
  }

  /**
   * Opens a file to continue after its first {@code length} bytes, which {@link ResultsReader#read}
   * found to be whole, or creates it.
   *
   * @throws io.cloudkon.core.error.CloudKonException if it cannot be written
   */
  static ResultsFile append(Path path, long length) {
    return Files.exists(path)
        ? new ResultsFile(path, AppendFile.reopen(path, length))
        : create(path);
  }

  /** Gathers lines, as many results without a worker come one by one. */
  @Override
  public synchronized void accept(
      BundleTimes times, String worker, int attempt, TaskResult result, long clockOffsetMicros) {
    add(single, times, worker, attempt, result, clockOffsetMicros);
  }

  /** Formats without the lock, so that threads that collect do not wait for each other. */
  @Override
  public void accept(
      BundleTimes times,
      String worker,
      int attempt,
      List<TaskResult> results,
      long clockOffsetMicros) {
    if (results.isEmpty()) {
      return;
    }
    Formatter pooled = spare.poll();
    Formatter formatter = pooled == null ? new Formatter(files) : pooled;
    for (TaskResult result : results) {
      add(formatter, times, worker, attempt, result, clockOffsetMicros);
    }
    write(formatter.lines());
    var unused = spare.offer(formatter);
  }

  private void add(
      Formatter to, BundleTimes times, String worker, int attempt, TaskResult result, long offset) {
    to.line().write(to.lines(), times, worker, attempt, result, offset);
    if (to.lines().size() >= WRITE_AT) {
      write(to.lines());
    }
  }

  private synchronized void write(JsonBytes lines) {
    file.write(lines.array(), lines.size());
    lines.clear(CAPACITY);
  }

  @Override
  public Optional<FilesFolder> files() {
    return Optional.of(files);
  }

  /** Does not hold the lock during the sync, so that results are written meanwhile. */
  @Override
  public void flushAndSync() {
    synchronized (this) {
      write(single.lines());
    }
    file.sync();
  }

  @Override
  public void close() {
    try (file) {
      flushAndSync();
    }
  }
}
