package io.cloudkon.worker.pipeline;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.Work;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of a bundle's tasks until the response queue has accepted them. The inputs of their
 * tasks count as theirs, because the bundle keeps them in memory for as long. Thread safe, except
 * that a result is read only after the event that tells of it.
 */
final class ResultsInHand {
  private final List<Task> tasks;
  private final @Nullable TaskResult[] results;
  private boolean closed;
  private volatile long bytes;
  private volatile long spooledBytes;

  ResultsInHand(List<Task> tasks) {
    this.tasks = tasks;
    this.results = new TaskResult[tasks.size()];
  }

  /** The result of the task at this position; null if there is none. */
  @Nullable TaskResult get(int position) {
    return results[position];
  }

  /** Sets the result of a task; replaces the result of an earlier try. */
  synchronized void set(int position, TaskResult result) {
    forget(position);
    results[position] = result;
    bytes += bytes(position, result);
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
      bytes -= bytes(position, result);
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

  /** The bytes of their outputs in memory, and of their tasks' inputs. */
  long bytes() {
    return bytes;
  }

  /** The bytes of their outputs on disk. */
  long spooledBytes() {
    return spooledBytes;
  }

  private long bytes(int position, TaskResult result) {
    return inputBytes(tasks.get(position).work())
        + result.stdout().length
        + result.stderr().length
        + result.output().length;
  }

  private static long inputBytes(Work work) {
    return switch (work) {
      case Work.Exec exec ->
          length(exec.argv())
              + length(exec.environment().keySet())
              + length(exec.environment().values())
              + exec.stdin().length;
      case Work.JavaCall call -> length(call.args());
      case Work.Hpc hpc -> inputBytes(hpc.each());
      case Work.Noop _, Work.Sleep _, Work.Stored _ -> 0;
    };
  }

  private static long length(Collection<String> texts) {
    long sum = 0;
    for (String text : texts) {
      sum += text.length();
    }
    return sum;
  }
}
