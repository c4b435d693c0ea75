package io.cloudkon.core.model;

import java.util.List;

/**
 * The result of one task. Immutable; the arrays are never written to.
 *
 * @param ordinal the ordinal of the task in its run
 * @param id the task's id as the user sees it
 * @param status how it ended
 * @param exitCode the exit code of a command; 0 for all other work
 * @param stdout the beginning of a command's standard output, at most {@code --capture} bytes
 * @param stdoutBytes the total length of its standard output
 * @param stderr the beginning of its standard error, at most {@code --capture} bytes
 * @param stderrBytes the total length of its standard error
 * @param output the beginning of a handler's output, at most {@code --capture} bytes
 * @param outputBytes the total length of a handler's output
 * @param error why it did not succeed, in one line; empty if it did
 * @param startedMicros when it started; the worker's clock, epoch microseconds
 * @param finishedMicros when it finished; the worker's clock, epoch microseconds
 * @param tries the number of tries in the attempt that ended it
 * @param ranks the results of an HPC job's ranks, by rank; empty for all other tasks, and if no
 *     rank started
 * @param spools those of {@code stdout} and {@code stderr} that are on the worker's disk
 * @param usage staging and processor time
 * @param files the files that it brought back
 */
public record TaskResult(
    int ordinal,
    String id,
    TaskStatus status,
    int exitCode,
    byte[] stdout,
    long stdoutBytes,
    byte[] stderr,
    long stderrBytes,
    byte[] output,
    long outputBytes,
    String error,
    long startedMicros,
    long finishedMicros,
    int tries,
    List<RankResult> ranks,
    Spools spools,
    TaskUsage usage,
    CollectedFiles files) {

  public TaskResult {
    ranks = List.copyOf(ranks);
  }

  /** A result that is completely in memory. */
  public TaskResult(
      int ordinal,
      String id,
      TaskStatus status,
      int exitCode,
      byte[] stdout,
      long stdoutBytes,
      byte[] stderr,
      long stderrBytes,
      byte[] output,
      long outputBytes,
      String error,
      long startedMicros,
      long finishedMicros,
      int tries,
      List<RankResult> ranks) {
    this(
        ordinal,
        id,
        status,
        exitCode,
        stdout,
        stdoutBytes,
        stderr,
        stderrBytes,
        output,
        outputBytes,
        error,
        startedMicros,
        finishedMicros,
        tries,
        ranks,
        Spools.NONE,
        TaskUsage.NONE,
        CollectedFiles.NONE);
  }

  /** The same result, with outputs on disk. */
  public TaskResult with(Spools onDisk) {
    if (onDisk.equals(spools)) {
      return this;
    }
    return new TaskResult(
        ordinal,
        id,
        status,
        exitCode,
        stdout,
        stdoutBytes,
        stderr,
        stderrBytes,
        output,
        outputBytes,
        error,
        startedMicros,
        finishedMicros,
        tries,
        ranks,
        onDisk,
        usage,
        files);
  }

  /** The same result with these outputs in place of its own, and their lengths as they were. */
  public TaskResult withOutputs(byte[] out, byte[] err, byte[] answer, List<RankResult> ofRanks) {
    return new TaskResult(
        ordinal,
        id,
        status,
        exitCode,
        out,
        stdoutBytes,
        err,
        stderrBytes,
        answer,
        outputBytes,
        error,
        startedMicros,
        finishedMicros,
        tries,
        ofRanks,
        Spools.NONE,
        usage,
        files);
  }

  /** The same result with this usage. */
  public TaskResult with(TaskUsage taken) {
    if (taken.equals(usage)) {
      return this;
    }
    return new TaskResult(
        ordinal,
        id,
        status,
        exitCode,
        stdout,
        stdoutBytes,
        stderr,
        stderrBytes,
        output,
        outputBytes,
        error,
        startedMicros,
        finishedMicros,
        tries,
        ranks,
        spools,
        taken,
        files);
  }

  /** The same result with files that it brought back. */
  public TaskResult with(CollectedFiles others) {
    return others.equals(files) ? this : ended(status, error, others);
  }

  /**
   * The result if the task's files are not available: it has failed, because the files are its
   * purpose.
   */
  public TaskResult withoutFiles(String why) {
    boolean first = status == TaskStatus.SUCCEEDED;
    return ended(first ? TaskStatus.FAILED : status, first ? why : error, files.lost(why));
  }

  /** Whether the task did what it had to, so that its exit code is one, and only its files lack. */
  public boolean lacksOnlyFiles() {
    return status == TaskStatus.FAILED && !error.isEmpty() && error.equals(files.error());
  }

  private TaskResult ended(TaskStatus how, String why, CollectedFiles brought) {
    return new TaskResult(
        ordinal,
        id,
        how,
        exitCode,
        stdout,
        stdoutBytes,
        stderr,
        stderrBytes,
        output,
        outputBytes,
        why,
        startedMicros,
        finishedMicros,
        tries,
        ranks,
        spools,
        usage,
        brought);
  }

  /** The number of bytes of the standard output that are kept, in memory or on disk. */
  public int stdoutKept() {
    return Spools.kept(stdout, spools.stdout());
  }

  /** The number of bytes of the standard error that are kept, in memory or on disk. */
  public int stderrKept() {
    return Spools.kept(stderr, spools.stderr());
  }

  /** The result of a task without ranks. */
  public TaskResult(
      int ordinal,
      String id,
      TaskStatus status,
      int exitCode,
      byte[] stdout,
      long stdoutBytes,
      byte[] stderr,
      long stderrBytes,
      byte[] output,
      long outputBytes,
      String error,
      long startedMicros,
      long finishedMicros,
      int tries) {
    this(
        ordinal,
        id,
        status,
        exitCode,
        stdout,
        stdoutBytes,
        stderr,
        stderrBytes,
        output,
        outputBytes,
        error,
        startedMicros,
        finishedMicros,
        tries,
        List.of());
  }

  private static final byte[] NOTHING = new byte[0];

  /** The result of a task that did not run: LOST, CANCELLED, or not permitted on the worker. */
  public static TaskResult notRun(
      int ordinal, String id, TaskStatus status, String error, long micros) {
    return new TaskResult(
        ordinal, id, status, 0, NOTHING, 0, NOTHING, 0, NOTHING, 0, error, micros, micros, 1);
  }
}
