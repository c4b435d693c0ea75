package io.cloudkon.worker.pipeline;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.TaskResult;
import org.jspecify.annotations.Nullable;

/**
 * The results of a bundle's tasks until the response queue has accepted them. Thread safe, except
 * that a result is read only after the event that tells of it.
 */
final class ResultsInHand {
  private final @Nullable TaskResult[] results;
  private boolean closed;
  private volatile long bytes;
  private volatile long spooledBytes;

  ResultsInHand(int tasks) {
    results = new TaskResult[tasks];
  }

  /** The result of the task at this position; null if there is none. */
  @Nullable TaskResult get(int position) {
    return results[position];
  }

  /** Sets the result of a task; replaces the result of an earlier try. */
  synchronized void set(int position, TaskResult result) {
    forget(position);
    results[position] = result;
    bytes += bytes(result);
    spooledBytes += result.spools().bytes();
    if (closed) {
      result.spools().release();
    }
  }

  /** Releases results that were accepted. */
  synchronized void forget(Positions tasks) {
    tasks.stream().forEach(this::forget);
  }

  private synchronized void forget(int position) {
    TaskResult result = results[position];
    if (result != null) {
      result.spools().release();
      bytes -= bytes(result);
      spooledBytes -= result.spools().bytes();
      results[position] = null;
    }
  }

  /** Frees the disk space of these results, and of those that still come. */
  synchronized void close() {
    closed = true;
    for (TaskResult result : results) {
      if (result != null) {
        result.spools().release();
      }
    }
  }

  /** The bytes of their outputs in memory. */
  long bytes() {
    return bytes;
  }

  /** The bytes of their outputs on disk. */
  long spooledBytes() {
    return spooledBytes;
  }

  private static long bytes(TaskResult result) {
    return (long) result.stdout().length + result.stderr().length + result.output().length;
  }
}
