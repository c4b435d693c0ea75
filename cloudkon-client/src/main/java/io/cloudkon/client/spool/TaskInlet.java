package io.cloudkon.client.spool;

import io.cloudkon.client.workload.CheckedLine;
import io.cloudkon.client.workload.LineCheck;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.port.BlobStore;
import java.io.Closeable;
import java.util.List;

/** Checks tasks and writes them to a spool. Thread safe. */
public final class TaskInlet implements Closeable {
  private final TaskSpool spool;
  private final LineCheck check;
  private final BlobStore blobs;
  private final String run;
  private boolean bucketFound;

  /**
   * An inlet that has taken no tasks yet.
   *
   * @param blobs the blob store, of which some tasks need the bucket
   * @param run the id of the tasks' run
   */
  public TaskInlet(TaskSpool spool, RunChecks checks, BlobStore blobs, String run) {
    this.spool = spool;
    this.check = new LineCheck(checks, spool);
    this.blobs = blobs;
    this.run = run;
  }

  /** Receives the tasks that were taken, before any of them can run. */
  @FunctionalInterface
  public interface Taken {
    /** Receives a task and its ordinal. Called under a lock, so it must return at once. */
    void as(CheckedLine task, int ordinal);
  }

  /**
   * Takes tasks that come together, either all of them or none. Ignores blank lines and comments.
   *
   * @return the number of tasks
   * @throws UsageException if a line is not a task, or needs a bucket and there is none
   * @throws CloudKonException if the run takes no more tasks
   */
  public synchronized int take(List<LineCheck.Line> lines, Taken taken) {
    return write(check.check(lines), taken);
  }

  /**
   * Like {@link #take}, but each line must be a task.
   *
   * @throws UsageException if a line is not a task, or is blank or a comment
   */
  public synchronized int takeAll(List<LineCheck.Line> lines, Taken taken) {
    List<CheckedLine> tasks = check.check(lines);
    if (tasks.size() < lines.size()) {
      throw new UsageException(
          "the task's line is blank or a comment; expected a task, such as sleep 100");
    }
    return write(tasks, taken);
  }

  private int write(List<CheckedLine> tasks, Taken taken) {
    if (tasks.stream().anyMatch(CheckedLine::needsBlobStore)) {
      requireBucket();
    }
    if (!tasks.isEmpty()) {
      spool.append(
          tasks.stream().map(CheckedLine::bytes).toList(),
          (line, ordinal, offset) -> {
            check.taken(tasks.get(line), offset);
            taken.as(tasks.get(line), ordinal);
          });
    }
    return tasks.size();
  }

  /** Checks once that there is a bucket; if it disappears later, the run handles that. */
  private void requireBucket() {
    if (!bucketFound) {
      try {
        var unused = blobs.list(BlobKeys.run(run));
      } catch (CloudKonException e) {
        throw new UsageException(
            "the task needs a bucket because it is large or has files: " + e.getMessage(), e);
      }
      bucketFound = true;
    }
  }

  @Override
  public synchronized void close() {
    check.close();
  }
}
