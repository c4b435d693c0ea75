package io.cloudkon.client.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.client.report.BundleTimes;
import io.cloudkon.client.report.ResultLines;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.time.Duration;

/**
 * The result of a task of a {@link Session}; each task has exactly one. Immutable and thread safe.
 */
public final class SessionResult {
  private final TaskResult result;
  private final BundleTimes times;
  private final String worker;
  private final int attempt;
  private final long clockOffsetMicros;

  SessionResult(
      TaskResult result, BundleTimes times, String worker, int attempt, long clockOffsetMicros) {
    this.result = result;
    this.times = times;
    this.worker = worker;
    this.attempt = attempt;
    this.clockOffsetMicros = clockOffsetMicros;
  }

  /** The task's id, or its number in the session. */
  public String task() {
    return result.id();
  }

  /** The task's place among all submitted tasks, from 0. */
  public int index() {
    return result.ordinal();
  }

  /** The status with which the task ended. */
  public TaskStatus status() {
    return result.status();
  }

  /** Whether the task succeeded. */
  public boolean succeeded() {
    return result.status() == TaskStatus.SUCCEEDED;
  }

  /** A command's exit code; 0 for everything else. */
  public int exitCode() {
    return result.exitCode();
  }

  /** The reason why the task did not succeed, in one line; empty if it did. */
  public String error() {
    return result.error();
  }

  /**
   * The standard output of a command, as far as it was kept ({@link SessionConfig#capture}). Bytes
   * that are not UTF-8 appear as U+FFFD.
   */
  public String stdout() {
    return new String(result.stdout(), UTF_8);
  }

  /** The standard error of a command, like {@link #stdout}. */
  public String stderr() {
    return new String(result.stderr(), UTF_8);
  }

  /** The return value of a handler, as far as it was kept; a copy. */
  public byte[] output() {
    return result.output().clone();
  }

  /** The worker that reported the result; empty if no worker did. */
  public String worker() {
    return worker;
  }

  /** The number of tries. */
  public int tries() {
    return result.tries();
  }

  /** The duration of the last try, by the worker's clock; zero if the task did not start. */
  public Duration took() {
    long micros = Math.max(0, result.finishedMicros() - result.startedMicros());
    return Duration.ofNanos(1_000 * micros);
  }

  /** The time from submission to result, by this machine's clock. */
  public Duration latency() {
    return Duration.ofNanos(1_000 * Math.max(0, times.latencyMicros()));
  }

  /** The complete result: its JSON object in {@code results.jsonl}, in one line. */
  public String json() {
    return ResultLines.line(times, worker, attempt, result, clockOffsetMicros);
  }

  /** The task, its status and its error, for people. */
  @Override
  public String toString() {
    return "task %s: %s%s".formatted(task(), status(), succeeded() ? "" : ", " + error());
  }
}
