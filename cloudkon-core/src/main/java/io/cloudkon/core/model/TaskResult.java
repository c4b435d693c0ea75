package io.cloudkon.core.model;

import java.util.List;

/**
 * How one task ended. Immutable; the arrays are never written to.
 *
 * @param ordinal which task of the run
 * @param id the task's id as the user sees it
 * @param status how it ended
 * @param exitCode of a command; 0 for everything else
 * @param stdout the beginning of what a command wrote, at most {@code --capture} bytes
 * @param stdoutBytes how much it wrote in all
 * @param stderr likewise
 * @param stderrBytes likewise
 * @param output what a handler returned, at most {@code --capture} bytes of it
 * @param outputBytes how much it returned in all
 * @param error why it did not succeed, in one line; empty if it did
 * @param startedMicros when it started; the worker's clock, epoch microseconds
 * @param finishedMicros when it finished; likewise
 * @param tries how often the attempt that ended it tried
 * @param ranks of an HPC job: how each of its ranks ended, by rank; empty for every other task, and
 *     where no rank started
 * @param spools those of {@code stdout} and {@code stderr} that lie on the worker's disk
 * @param usage what it took besides the time between its start and its end
 * @param files what it brought back of its directory
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

  /** A result that is all in memory. */
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

  /** The same, some of whose outputs lie on disk. */
  public TaskResult with(Spools onDisk) {
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

  /** The same, with what else it took. */
  public TaskResult with(TaskUsage taken) {
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

  /** The same with files that it brought back. */
  public TaskResult with(CollectedFiles others) {
    return ended(status, error, others);
  }

  /** The same of a task whose files cannot be had: it did not do what it was to do. */
  public TaskResult withoutFiles(String why) {
    boolean first = status == TaskStatus.SUCCEEDED;
    return ended(first ? TaskStatus.FAILED : status, first ? why : error, files.lost(why));
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

  /** How much of the standard output is kept, wherever it lies. */
  public int stdoutKept() {
    return Spools.kept(stdout, spools.stdout());
  }

  /** How much of the standard error is kept, wherever it lies. */
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

  /** A result that ran nothing: LOST, CANCELLED, or a task that a worker may not run. */
  public static TaskResult notRun(
      int ordinal, String id, TaskStatus status, String error, long micros) {
    return new TaskResult(
        ordinal, id, status, 0, NOTHING, 0, NOTHING, 0, NOTHING, 0, error, micros, micros, 1);
  }
}
