package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.report.Wording;
import io.cloudkon.core.error.CloudKonException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Cancels a run that is not worth going on with. Tasks that run meanwhile may still end. Closed
 * when the run is over.
 */
final class EarlyEnd implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(100);

  /** As many tasks without their command are no accident of one of them. */
  private static final long ALL_NOT_FOUND = 20;

  private final Supplier<Optional<String>> why;
  private final BooleanSupplier cancel;
  private final Consumer<String> say;
  private final CountDownLatch ended = new CountDownLatch(1);

  EarlyEnd(Supplier<Optional<String>> why, BooleanSupplier cancel, Consumer<String> say) {
    this.why = why;
    this.cancel = cancel;
    this.say = say;
  }

  /**
   * Starts to watch.
   *
   * @param why to cancel the run now, in words; empty to go on
   * @param cancel cancels the run; false if it is over
   * @param say is told that it was cancelled
   */
  static EarlyEnd start(
      Supplier<Optional<String>> why, BooleanSupplier cancel, Consumer<String> say) {
    EarlyEnd watch = new EarlyEnd(why, cancel, say);
    Thread.ofVirtual().name("cloudkon-early-end").start(watch::watch);
    return watch;
  }

  /** Too many tasks have not succeeded: {@code --max-failures}. */
  static Supplier<Optional<String>> tooManyFailures(long limit, LongSupplier failures) {
    return () -> {
      long now = failures.getAsLong();
      return now < limit
          ? Optional.empty()
          : Optional.of(
              "%s did not succeed (--max-failures %d)"
                  .formatted(Wording.count(now, "task"), limit));
    };
  }

  /**
   * Not one task so far has found its command, as its file is not where tasks start; on more than
   * one worker, where more than one lives, as it may be missing on that one only.
   *
   * @param tasks of the run; negative while nobody knows
   * @param liveWorkers is asked once the rest is true
   * @param hint what to do about it
   */
  static Supplier<Optional<String>> nothingFound(
      RunStatistics statistics, LongSupplier tasks, LongSupplier liveWorkers, String hint) {
    return () -> {
      long notFound = statistics.notFound();
      long done = statistics.done();
      if (notFound < ALL_NOT_FOUND
          || notFound < done
          || done == tasks.getAsLong()
          || statistics.workersHeard() < Math.min(2, liveWorkers.getAsLong())) {
        return Optional.empty();
      }
      return Optional.of(
          "the first %s all exited with 127, command not found (%s)"
              .formatted(Wording.count(notFound, "task"), hint));
    };
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

  /** Cancels the run if there is a reason, and says whether there is nothing left to do. */
  boolean look() {
    try {
      Optional<String> reason = why.get();
      if (reason.isEmpty()) {
        return false;
      }
      if (cancel.getAsBoolean()) {
        say.accept(reason.get() + ", so the run is cancelled");
      }
      return true;
    } catch (CloudKonException e) {
      return false; // tried again with the next look
    }
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
