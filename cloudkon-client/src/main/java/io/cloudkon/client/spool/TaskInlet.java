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

/** Takes tasks into a spool: checked first, then written. Thread safe. */
public final class TaskInlet implements Closeable {
  private final TaskSpool spool;
  private final LineCheck check;
  private final BlobStore blobs;
  private final String run;
  private boolean bucketFound;

  /**
   * Has taken nothing.
   *
   * @param blobs where some tasks need a bucket
   * @param run the id of the run that they are for
   */
  public TaskInlet(TaskSpool spool, RunChecks checks, BlobStore blobs, String run) {
    this.spool = spool;
    this.check = new LineCheck(checks, spool);
    this.blobs = blobs;
    this.run = run;
  }

  /** Is told which tasks were taken, before anybody can run them. */
  @FunctionalInterface
  public interface Taken {
    /** A task has this ordinal. Called under a lock: returns at once. */
    void as(CheckedLine task, int ordinal);
  }

  /**
   * Takes tasks that come together, all of them or none. Blank lines and comments are none.
   *
   * @return how many they are
   * @throws UsageException if a line is no task, or needs a bucket and there is none
   * @throws CloudKonException if the run takes no more tasks
   */
  public synchronized int take(List<LineCheck.Line> lines, Taken taken) {
    return write(check.check(lines), taken);
  }

  /**
   * The same, where each line is to be a task.
   *
   * @throws UsageException if a line is no task, or holds none
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

  /** Asked once: one that goes away later is the run's matter. */
  private void requireBucket() {
    if (!bucketFound) {
      try {
        var unused = blobs.list(BlobKeys.run(run));
      } catch (CloudKonException e) {
        throw new UsageException(
            "the task needs a bucket, as it is large or has files: " + e.getMessage(), e);
      }
      bucketFound = true;
    }
  }

  @Override
  public synchronized void close() {
    check.close();
  }
}
