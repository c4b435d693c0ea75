package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Outputs;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.worker.collect.CollectedArchive;

/**
 * The outcome of one attempt at a task. The byte arrays are not copied and must not be written to.
 *
 * @param status SUCCEEDED, FAILED or TIMED_OUT; CANCELLED if a kill ended it
 * @param exitCode a command's exit code: 128 + signal if a signal killed it, 127 if it was not
 *     found, 126 if it could not start; 0 for other kinds
 * @param stdout the head of a command's standard output, at most the capture limit
 * @param stdoutBytes the full length of the standard output in bytes; larger than {@code
 *     stdout.length} if it was cut
 * @param stderr the head of a command's standard error, or of the stack trace of a handler's
 *     exception
 * @param stderrBytes the full length of the standard error in bytes
 * @param output the head of a {@code java} handler's answer
 * @param outputBytes the full length of that answer in bytes
 * @param error one line that says what went wrong; empty if nothing did
 * @param startedMicros when it started, epoch microseconds
 * @param finishedMicros when it ended, epoch microseconds
 * @param stuck whether it could not be stopped and may still run: it must not be tried again
 *     meanwhile
 * @param spools the outputs that lie on disk, with an empty array for {@code stdout} or {@code
 *     stderr}; the outcome's receiver releases them
 * @param usage the resources that it used, besides the time between its start and its end
 * @param collected the packed files that it left for its client; the outcome's receiver releases
 *     them
 */
public record TaskOutcome(
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
    boolean stuck,
    Spools spools,
    TaskUsage usage,
    CollectedArchive collected) {
  private static final byte[] NOTHING = {};

  /** An outcome that is all in memory. */
  public TaskOutcome(
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
      boolean stuck) {
    this(
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
        stuck,
        Spools.NONE,
        TaskUsage.NONE,
        CollectedArchive.NONE);
  }

  /** The same outcome with this usage. */
  TaskOutcome with(TaskUsage taken) {
    return new TaskOutcome(
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
        stuck,
        spools,
        taken,
        collected);
  }

  /** The same outcome with these collected files. */
  TaskOutcome with(CollectedArchive files) {
    return new TaskOutcome(
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
        stuck,
        spools,
        usage,
        files);
  }

  /** The same outcome with more text after the error. */
  TaskOutcome saying(String more) {
    return new TaskOutcome(
        status,
        exitCode,
        stdout,
        stdoutBytes,
        stderr,
        stderrBytes,
        output,
        outputBytes,
        error + more,
        startedMicros,
        finishedMicros,
        stuck,
        spools,
        usage,
        collected);
  }

  /** An outcome without any output: {@code noop}, {@code sleep}, a refusal, a time limit. */
  static TaskOutcome plain(TaskStatus status, String error, long started, long finished) {
    return new TaskOutcome(
        status, 0, NOTHING, 0, NOTHING, 0, NOTHING, 0, error, started, finished, false);
  }

  /** A handler that was abandoned at its time limit, and may still run. */
  static TaskOutcome givenUp(String error, long started, long finished) {
    return new TaskOutcome(
        TaskStatus.TIMED_OUT,
        0,
        NOTHING,
        0,
        NOTHING,
        0,
        NOTHING,
        0,
        error,
        started,
        finished,
        true);
  }

  /** A command that never ran. */
  static TaskOutcome notStarted(int exitCode, String error, long started, long finished) {
    return new TaskOutcome(
        TaskStatus.FAILED,
        exitCode,
        NOTHING,
        0,
        NOTHING,
        0,
        NOTHING,
        0,
        error,
        started,
        finished,
        false);
  }

  /** A command that ended, by itself or killed, or that outlived its kill and is stuck. */
  static TaskOutcome exited(
      TaskStatus status,
      int exitCode,
      Capture stdout,
      Capture stderr,
      String error,
      long started,
      long finished,
      boolean stuck) {
    return new TaskOutcome(
        status,
        exitCode,
        stdout.head(),
        stdout.total(),
        stderr.head(),
        stderr.total(),
        NOTHING,
        0,
        error,
        started,
        finished,
        stuck,
        new Spools(stdout.spooled(), stderr.spooled()),
        TaskUsage.NONE,
        CollectedArchive.NONE);
  }

  /** A handler's answer, cut at the limit. */
  static TaskOutcome answered(byte[] answer, int limit, long started, long finished) {
    return new TaskOutcome(
        TaskStatus.SUCCEEDED,
        0,
        NOTHING,
        0,
        NOTHING,
        0,
        Outputs.head(answer, limit),
        answer.length,
        "",
        started,
        finished,
        false);
  }

  /** A handler's exception: one line as the error, its stack trace as standard error. */
  static TaskOutcome threw(String error, byte[] trace, int limit, long started, long finished) {
    return new TaskOutcome(
        TaskStatus.FAILED,
        0,
        NOTHING,
        0,
        Outputs.head(trace, limit),
        trace.length,
        NOTHING,
        0,
        error,
        started,
        finished,
        false);
  }

  /** The same outputs and times with another status, exit code and error. */
  TaskOutcome as(TaskStatus otherStatus, int otherExitCode, String otherError) {
    return new TaskOutcome(
        otherStatus,
        otherExitCode,
        stdout,
        stdoutBytes,
        stderr,
        stderrBytes,
        output,
        outputBytes,
        otherError,
        startedMicros,
        finishedMicros,
        stuck,
        spools,
        usage,
        collected);
  }
}
