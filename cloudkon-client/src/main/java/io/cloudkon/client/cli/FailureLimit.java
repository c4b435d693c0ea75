package io.cloudkon.client.cli;

import io.cloudkon.client.report.Wording;
import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Cancels a run in which too many tasks have not succeeded: {@code --max-failures}. Those that run
 * meanwhile may add some. Closed when the run is over.
 */
final class FailureLimit implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(100);

  private final long limit;
  private final LongSupplier failures;
  private final Runnable cancel;
  private final Consumer<String> say;
  private final CountDownLatch ended = new CountDownLatch(1);

  FailureLimit(long limit, LongSupplier failures, Runnable cancel, Consumer<String> say) {
    this.limit = limit;
    this.failures = failures;
    this.cancel = cancel;
    this.say = say;
  }

  /**
   * Starts to watch, if there is a limit.
   *
   * @param failures how many tasks have not succeeded so far
   * @param cancel cancels the run
   * @param say is told that it was cancelled
   */
  static FailureLimit start(
      OptionalLong limit, LongSupplier failures, Runnable cancel, Consumer<String> say) {
    FailureLimit watch = new FailureLimit(limit.orElse(Long.MAX_VALUE), failures, cancel, say);
    if (limit.isPresent()) {
      Thread.ofVirtual().name("cloudkon-failures").start(watch::watch);
    }
    return watch;
  }

  private void watch() {
    try {
      while (!ended.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        if (look()) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Cancels the run if the limit is reached, and says whether there is nothing left to do. */
  boolean look() {
    long now = failures.getAsLong();
    if (now < limit) {
      return false;
    }
    try {
      cancel.run();
    } catch (CloudKonException e) {
      return false; // tried again with the next look
    }
    say.accept(
        "%s did not succeed (--max-failures %d), so the run is cancelled"
            .formatted(Wording.count(now, "task"), limit));
    return true;
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
