package io.cloudkon.client.report;

import io.cloudkon.core.model.TaskResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code results.jsonl}: one JSON object a line, one line per task, in order of completion, UTF-8.
 * Thread safe.
 *
 * <p>Always there: {@code task} (a string: the task's own id, or the number of its line in the
 * workload; one type, so that {@code jq 'select(.task == "17")'} holds for both), {@code index}
 * (which task of the run it is, from 0), {@code status}, {@code worker} (empty if no worker has
 * spoken for the task), {@code attempt}, {@code tries}, and {@code stamps} with the 13 keys of
 * {@link Stamp}: epoch microseconds on the client's clock, in order.
 *
 * <p>Only where there is something: {@code exitCode} (0 for what is not a command and succeeded);
 * {@code startedAt} (ISO 8601, on the client's clock) and {@code seconds} of its last try, where it
 * started; {@code cpuSeconds} of a command, user and system, where the worker's system tells;
 * {@code error} for every status but {@code SUCCEEDED}; {@code stdout}, {@code stderr} and {@code
 * output} where the task wrote to them or returned something. What is not UTF-8 in {@code stdout}
 * and {@code stderr} shows as U+FFFD; an {@code output} that is not UTF-8 is base64 and has {@code
 * "outputEncoding":"base64"} beside it. Of a stream that was cut at {@code --capture} the beginning
 * is kept, with {@code "stdoutCut":true} and its whole length in {@code stdoutBytes} (likewise
 * {@code stderr…}, {@code output…}).
 *
 * <p>A task that was to bring back files has {@code files}: an object with {@code count} and {@code
 * bytes} of those that it brought, {@code folder}, where they are from this file's folder, and
 * {@code names}, the {@code name} and {@code bytes} of the first thousand of them; {@code
 * leftOutCount} and, of the first twenty that were left out, {@code leftOut} with {@code name} and
 * {@code why}; and {@code error}, if they could not be brought back.
 *
 * <p>A task that was to bring back files has {@code files}: an object with {@code count} and {@code
 * bytes} of those that it brought, {@code folder}, where they are from this file's folder, and
 * {@code names}, the {@code name} and {@code bytes} of the first thousand of them; {@code
 * leftOutCount} and, of the first twenty that were left out, {@code leftOut} with {@code name} and
 * {@code why}; and {@code error}, if they could not be brought back.
 *
 * <p>An HPC job has {@code ranks}, unless none of them started: by rank an object with {@code
 * rank}, {@code worker}, {@code exitCode}, and {@code stdout} and {@code stderr} where it wrote to
 * them, as far as they were kept.
 */
public final class ResultsFile implements ResultSink {
  private static final int DRAIN_AT = 256 * 1024;
  private static final int CAPACITY = 2 * DRAIN_AT;

  private final AppendFile file;
  private final FilesFolder files;
  private final ResultLine line = new ResultLine();
  private final JsonBytes buffer = new JsonBytes(CAPACITY);

  private ResultsFile(Path path, AppendFile file) {
    this.file = file;
    this.files = new FilesFolder(path.toAbsolutePath().resolveSibling(""));
  }

  /**
   * An empty file, in the place of one that may be there.
   *
   * @throws io.cloudkon.core.error.CloudKonException if it cannot be written
   */
  public static ResultsFile create(Path path) {
    return new ResultsFile(path, AppendFile.create(path));
  }

  /**
   * Goes on behind the last whole line; what a crash left of a line behind it is cut off, since its
   * task was not confirmed and its result will come again. Without a file, a new one.
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
   * Goes on behind the first {@code length} bytes, as {@link ResultsReader#read} has found them
   * whole. Without a file, a new one.
   *
   * @throws io.cloudkon.core.error.CloudKonException if it cannot be written
   */
  static ResultsFile append(Path path, long length) {
    return Files.exists(path)
        ? new ResultsFile(path, AppendFile.reopen(path, length))
        : create(path);
  }

  @Override
  public synchronized void accept(
      BundleTimes times, String worker, int attempt, TaskResult result, long clockOffsetMicros) {
    line.write(buffer, times, worker, attempt, result, clockOffsetMicros);
    if (buffer.size() >= DRAIN_AT) {
      drain();
    }
  }

  @Override
  public Optional<FilesFolder> files() {
    return Optional.of(files);
  }

  /** The lock is not held while the disk works: results go on being accepted meanwhile. */
  @Override
  public void flushAndSync() {
    synchronized (this) {
      drain();
    }
    file.sync();
  }

  @Override
  public void close() {
    try (file) {
      flushAndSync();
    }
  }

  private void drain() {
    file.write(buffer.array(), buffer.size());
    buffer.clear(CAPACITY);
  }
}
