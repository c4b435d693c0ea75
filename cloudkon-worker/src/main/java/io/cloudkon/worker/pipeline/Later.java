package io.cloudkon.worker.pipeline;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs short actions after a delay, on one thread of its own. Thread safe. */
public final class Later implements AutoCloseable {
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("cloudkon-later").factory());

  /** Runs the action after that delay, unless this has been closed by then. */
  public void after(long millis, Runnable what) {
    try {
      var unused = executor.schedule(what, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // Closed: the worker has ended, and nothing waits for the action.
      return;
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
