package io.cloudkon.core.aws;

import io.cloudkon.core.port.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Checks that run concurrently with the reads at a start. The start waits for them only as long as
 * a round trip may take; refusals that arrive later are reported when the calls are first needed.
 * Used by one thread.
 */
final class LaterLooks implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<? extends Future<?>> pending;

  private LaterLooks(List<Runnable> looks) {
    pending = looks.stream().map(threads::submit).toList();
  }

  /** Starts all checks; returns at once. */
  static LaterLooks begin(List<Runnable> looks) {
    return new LaterLooks(looks);
  }

  /** The refusals, in the order of the checks; waits at most half a second in all. */
  List<RefusedException> refused() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<RefusedException> refused = new ArrayList<>();
    for (Future<?> look : pending) {
      try {
        Object unused = look.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RefusedException refusal) {
          refused.add(refusal);
        }
      } catch (TimeoutException e) {
        // reported at its first refusal
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return refused;
      }
    }
    return refused;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
