package io.cloudkon.worker.execute;

import io.cloudkon.core.model.Outputs;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.TaskUsage;
import io.cloudkon.worker.collect.CollectedArchive;

/**
 * How one try of a task ended. The byte arrays are not copied: nobody writes to them.
 *
 * @param status SUCCEEDED, FAILED or TIMED_OUT; CANCELLED where a kill ended it
 * @param exitCode a command's exit code, 128 + signal where one killed it, 127 not found, 126 not
 *     startable; 0 for other kinds
 * @param stdout the head of a command's standard output, at most the capture limit
 * @param stdoutBytes the full length of the standard output in bytes; larger than {@code
 *     stdout.length} where it was cut
 * @param stderr the head of a command's standard error, or where a handler's exception came from
 * @param stderrBytes the full length of the standard error in bytes
 * @param output the head of a {@code java} handler's answer
 * @param outputBytes the full length of that answer in bytes
 * @param error one line that says what went wrong; empty if nothing did
 * @param startedMicros when it started, epoch microseconds
 * @param finishedMicros when it ended, epoch microseconds
 * @param stuck whether it could not be stopped and may still run: nobody may try it again meanwhile
 * @param spools those of {@code stdout} and {@code stderr} that lie on disk, and whose arrays are
 *     empty; the outcome's receiver releases them
 * @param usage what it took besides the time between its start and its end
 * @param collected what it left for its client, packed; the outcome's receiver releases it
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

  /** The same, with what else it took. */
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

  /** The same with what it left for its client. */
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

  /** The same, with more said of what went wrong. */
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

  /** An end without any output: {@code noop}, {@code sleep}, a refusal, a time limit. */
  static TaskOutcome plain(TaskStatus status, String error, long started, long finished) {
    return new TaskOutcome(
        status, 0, NOTHING, 0, NOTHING, 0, NOTHING, 0, error, started, finished, false);
  }

  /** A handler that was given up at its time limit, and may still run. */
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

  /** A handler's exception: one line as error, where it came from as standard error. */
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

  /** The same outputs and times with another end. */
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
