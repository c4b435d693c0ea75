package io.cloudkon.client.api;

import io.cloudkon.client.report.BundleTimes;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.TaskResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers results to the program on a separate thread, so that a slow listener does not delay
 * collecting until too many results wait. Thread safe.
 */
final class ResultDelivery implements ResultSink {
  private static final Logger LOG = LoggerFactory.getLogger(ResultDelivery.class);

  /** The maximum number of waiting results. */
  static final int MOST = 1_000;

  /** The maximum size of the waiting results, in bytes; one result may always wait. */
  static final long MOST_BYTES = 16L * 1024 * 1024;

  /** The memory that a rank or a file takes besides its outputs or its name, in bytes. */
  private static final int ENTRY_BYTES = 100;

  /** How long a listener may take once it is not to hold up anything. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Waiting(SessionResult result, long bytes) {}

  private final OpenTasks open;
  private final Consumer<SessionResult> listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private final Thread thread;
  private long bytes;

  /** Whether no more results come. */
  private boolean ended;

  /** Whether the listener is not to hold up anything any longer. */
  private boolean hurried;

  /** Whether the last result is delivered and no more come. */
  private boolean delivered;

  /** The result that the listener was given last; null before the first. */
  private @Nullable InHand inHand;

  /**
   * A result on its way to the program.
   *
   * @param future the future that it completes; null if its task was no longer open
   */
  private record InHand(SessionResult result, @Nullable CompletableFuture<SessionResult> future) {
    void complete() {
      if (future != null) {
        boolean unused = future.complete(result);
      }
    }
  }

  /** Starts to deliver results, until it is closed. */
  ResultDelivery(OpenTasks open, Consumer<SessionResult> listener) {
    this.open = open;
    this.listener = listener;
    this.thread =
        SessionThreads.start(
            "cloudkon-results", Thread.currentThread().getContextClassLoader(), this::deliver);
  }

  /** Whether the current thread is the one that delivers results. */
  boolean isDelivering() {
    return Thread.currentThread().equals(thread);
  }

  /** Waits while too many results wait. An interrupt neither ends the wait nor loses the result. */
  @Override
  public void accept(
      BundleTimes times, String worker, int attempt, TaskResult result, long clockOffsetMicros) {
    SessionResult made = new SessionResult(result, times, worker, attempt, clockOffsetMicros);
    long size = sizeOf(result);
    lock.lock();
    try {
      while (!hurried
          && !waiting.isEmpty()
          && (waiting.size() >= MOST || bytes + size > MOST_BYTES)) {
        changed.awaitUninterruptibly();
      }
      waiting.add(new Waiting(made, size));
      bytes += size;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The memory that a result takes as far as its task determines it, in bytes. */
  private static long sizeOf(TaskResult result) {
    long size = result.stdout().length + result.stderr().length + (long) result.output().length;
    for (RankResult rank : result.ranks()) {
      size += ENTRY_BYTES + rank.stdout().length + rank.stderr().length;
    }
    for (CollectedFiles.Named file : result.files().names()) {
      size += ENTRY_BYTES + file.name().length();
    }
    for (CollectedFiles.LeftOut file : result.files().leftOut()) {
      size += ENTRY_BYTES + file.name().length() + file.why().length();
    }
    for (String name : result.files().discarded().names()) {
      size += ENTRY_BYTES + name.length();
    }
    return size;
  }

  private void deliver() {
    try {
      deliverAll();
    } finally {
      lock.lock();
      try {
        delivered = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void deliverAll() {
    for (InHand next = next(); next != null; next = next()) {
      try {
        listener.accept(next.result);
      } catch (Throwable e) {
        // Whatever it was, the following results must still be delivered. In other languages a
        // listener may throw a checked exception.
        LOG.warn("the listener failed with the result of task {}", next.result.task(), e);
      } finally {
        next.complete();
        // An interrupt that it left would fail the next one.
        boolean unused = Thread.interrupted();
      }
    }
  }

  private @Nullable InHand next() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !ended) {
        changed.awaitUninterruptibly();
      }
      Waiting first = waiting.poll();
      if (first == null) {
        return null;
      }
      bytes -= first.bytes();
      changed.signalAll();
      SessionResult result = first.result();
      // Frees the room first, so that a listener that submits follow-up tasks finds some.
      inHand = new InHand(result, open.finished(result.index()).orElse(null));
      return inHand;
    } finally {
      lock.unlock();
    }
  }

  /** Does nothing, because accepted results are delivered at once. */
  @Override
  public void flushAndSync() {}

  /**
   * From now on, nothing waits for the listener: {@link #accept} never does, and {@link #close}
   * gives it another second.
   */
  void hurry() {
    lock.lock();
    try {
      hurried = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns when every accepted result is delivered. After {@link #hurry} it may drop results,
   * whose futures stay open, and interrupt the listener.
   */
  @Override
  public void close() {
    InHand left = null;
    boolean interrupted = false;
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
      long grace = GRACE_NANOS;
      while (!delivered && grace > 0) {
        if (hurried) {
          try {
            grace = changed.awaitNanos(grace);
          } catch (InterruptedException e) {
            interrupted = true;
          }
        } else {
          changed.awaitUninterruptibly();
        }
      }
      if (!delivered) {
        waiting.clear();
        left = inHand;
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
    if (left != null) {
      left.complete();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
