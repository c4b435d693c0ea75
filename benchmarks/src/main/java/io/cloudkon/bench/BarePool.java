package io.cloudkon.bench;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * A fixed pool of platform threads in this process that runs {@code sleep} tasks: the ceiling of
 * efficiency for a cluster of as many slots.
 */
final class BarePool {
  private BarePool() {}

  /**
   * Runs the tasks in the order of their numbers.
   *
   * @param millis the duration of a task, by its number from 0; also called by the pool's threads
   * @return the efficiency in percent: the sum of the durations as a share of the time of all
   *     threads, from the first submission to the last end
   */
  static double efficiency(int threads, int tasks, IntUnaryOperator millis) {
    long sum = IntStream.range(0, tasks).map(millis).asLongStream().sum();
    long begun = System.nanoTime();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().name("bare-pool-", 0).factory())) {
      for (int i = 0; i < tasks; i++) {
        int number = i;
        pool.execute(() -> park(millis.applyAsInt(number)));
      }
    }
    double elapsed = (System.nanoTime() - begun) / 1e6;
    return 100 * sum / (elapsed * threads);
  }

  /** Waits by the same call as a worker's {@code sleep}, so that both overshoot alike. */
  private static void park(int millis) {
    long limit = TimeUnit.MILLISECONDS.toNanos(millis);
    long begun = System.nanoTime();
    long left = limit;
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = limit - (System.nanoTime() - begun);
    }
  }
}
