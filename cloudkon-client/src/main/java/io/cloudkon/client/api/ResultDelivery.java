package io.cloudkon.client.api;

import io.cloudkon.client.report.BundleTimes;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.core.model.TaskResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
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

  /** The maximum size of the waiting outputs, in bytes; one result may always wait. */
  static final long MOST_BYTES = 16L * 1024 * 1024;

  private record Waiting(SessionResult result, long bytes) {}

  private final OpenTasks open;
  private final Consumer<SessionResult> listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** Completed when the last result is delivered and no more come. */
  private final CompletableFuture<Void> delivered = new CompletableFuture<>();

  private final Thread thread;
  private long bytes;
  private boolean ended;

  /** Starts to deliver results, until it is closed. */
  ResultDelivery(OpenTasks open, Consumer<SessionResult> listener) {
    this.open = open;
    this.listener = listener;
    this.thread = Thread.ofVirtual().name("cloudkon-results").start(this::deliver);
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
    long size = result.stdout().length + result.stderr().length + (long) result.output().length;
    lock.lock();
    try {
      while (!waiting.isEmpty() && (waiting.size() >= MOST || bytes + size > MOST_BYTES)) {
        changed.awaitUninterruptibly();
      }
      waiting.add(new Waiting(made, size));
      bytes += size;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void deliver() {
    try {
      deliverAll();
    } finally {
      boolean unused = delivered.complete(null);
    }
  }

  private void deliverAll() {
    for (SessionResult result = next(); result != null; result = next()) {
      // Frees the room first, so that a listener that submits follow-up tasks finds some.
      CompletableFuture<SessionResult> future = open.finished(result.index()).orElse(null);
      try {
        listener.accept(result);
      } catch (RuntimeException | Error e) {
        // Whatever it was, the following results must still be delivered.
        LOG.warn("the listener failed with the result of task {}", result.task(), e);
      }
      if (future != null) {
        boolean unused = future.complete(result);
      }
    }
  }

  private @Nullable SessionResult next() {
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
      return first.result();
    } finally {
      lock.unlock();
    }
  }

  /** Does nothing, because accepted results are delivered at once. */
  @Override
  public void flushAndSync() {}

  /** Returns when every accepted result is delivered. */
  @Override
  public void close() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    // Waits even if the thread is interrupted, and keeps the interrupt status.
    var unused = delivered.join();
  }
}
