package io.cloudkon.client.spool;

import io.cloudkon.client.workload.CheckedLine;
import io.cloudkon.client.workload.LineCheck;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.TimeSource;
import java.io.Closeable;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks tasks and writes them to a spool. Thread safe. */
public final class TaskInlet implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskInlet.class);

  /** How long a transient failure stands for the answers to further questions. */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

  private final TaskSpool spool;
  private final LineCheck check;
  private final BlobStore blobs;
  private final String run;
  private final TimeSource time;
  private volatile boolean bucketFound;

  /** Held by the thread that asks for the bucket. */
  private final ReentrantLock asking = new ReentrantLock();

  /** When the last question failed, in monotonic nanoseconds; empty if none has. */
  private OptionalLong failedAt = OptionalLong.empty();

  /**
   * An inlet that has taken no tasks yet.
   *
   * @param blobs the blob store, of which some tasks need the bucket
   * @param run the id of the tasks' run
   */
  public TaskInlet(
      TaskSpool spool, RunChecks checks, BlobStore blobs, String run, TimeSource time) {
    this.spool = spool;
    this.check = new LineCheck(checks, spool);
    this.blobs = blobs;
    this.run = run;
    this.time = time;
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
  public int take(List<LineCheck.Line> lines, Taken taken) {
    return take(lines, false, taken);
  }

  /**
   * Like {@link #take}, but each line must be a task.
   *
   * @throws UsageException if a line is not a task, or is blank or a comment
   */
  public int takeAll(List<LineCheck.Line> lines, Taken taken) {
    return take(lines, true, taken);
  }

  private int take(List<LineCheck.Line> lines, boolean each, Taken taken) {
    OptionalInt tasks = tryTake(lines, each, bucketFound, taken);
    if (tasks.isEmpty()) {
      // Without the lock: S3 may take 10 s to answer, and other tasks need no bucket.
      findBucket();
      tasks = tryTake(lines, each, true, taken);
    }
    return tasks.orElseThrow();
  }

  /** Takes tasks; empty if that depends on whether there is a bucket. */
  private synchronized OptionalInt tryTake(
      List<LineCheck.Line> lines, boolean each, boolean found, Taken taken) {
    List<CheckedLine> tasks = check.check(lines);
    if (each && tasks.size() < lines.size()) {
      throw new UsageException(
          "the task's line is blank or a comment; expected a task, such as sleep 100");
    }
    if (!found && tasks.stream().anyMatch(CheckedLine::needsBlobStore)) {
      return OptionalInt.empty();
    }
    if (!tasks.isEmpty()) {
      spool.append(
          tasks.stream().map(CheckedLine::bytes).toList(),
          (line, ordinal, offset) -> {
            check.taken(tasks.get(line), offset);
            taken.as(tasks.get(line), ordinal);
          });
    }
    return OptionalInt.of(tasks.size());
  }

  /**
   * Checks that there is a bucket, until it was found once; if it disappears later, the run handles
   * that. A transient failure says nothing about the task: whoever sends it waits for the store.
   * While one thread asks, others wait for its answer; after a transient failure, nobody asks for a
   * moment.
   */
  private void findBucket() {
    asking.lock();
    try {
      long now = time.monotonicNanos();
      if (bucketFound
          || (failedAt.isPresent() && now - failedAt.getAsLong() < ASK_AGAIN.toNanos())) {
        return;
      }
      ask();
    } finally {
      asking.unlock();
    }
  }

  private void ask() {
    try {
      var unused = blobs.list(BlobKeys.run(run));
      bucketFound = true;
    } catch (TransientServiceException e) {
      failedAt = OptionalLong.of(time.monotonicNanos());
      LOG.debug("it is unknown whether there is a bucket: {}", e.getMessage());
    } catch (CloudKonException e) {
      throw new UsageException(
          "the task needs a bucket because it is large or has files: " + e.getMessage(), e);
    }
  }

  @Override
  public synchronized void close() {
    check.close();
  }
}
