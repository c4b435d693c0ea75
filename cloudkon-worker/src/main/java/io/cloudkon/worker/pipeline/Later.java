package io.cloudkon.worker.pipeline;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs short things later, on one thread of its own. Thread safe. */
public final class Later implements AutoCloseable {
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("cloudkon-later").factory());

  /** Runs it after so many milliseconds; not at all if this was closed by then. */
  public void after(long millis, Runnable what) {
    try {
      var unused = executor.schedule(what, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // Closed: the worker has ended, and nobody waits for it any more.
      return;
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
