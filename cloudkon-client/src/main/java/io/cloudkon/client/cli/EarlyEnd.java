package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.report.Wording;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.time.Watch;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Watches a run and cancels it if continuing is useless. Tasks that are already running may still
 * end. Closed when the run is over.
 */
final class EarlyEnd implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(100);

  /**
   * The smallest number of tasks without their command that is taken for a fault of the whole run.
   */
  private static final long ALL_NOT_FOUND = 20;

  private final Supplier<Optional<String>> why;
  private final Consumer<Runnable> cancel;
  private final Consumer<String> say;
  private boolean told;
  private final Watch watch = new Watch("cloudkon-early-end", LOOK, this::lookAgain);

  EarlyEnd(Supplier<Optional<String>> why, Consumer<Runnable> cancel, Consumer<String> say) {
    this.why = why;
    this.cancel = cancel;
    this.say = say;
  }

  /**
   * Starts watching.
   *
   * @param why returns the reason for cancelling the run now, in words; empty to continue
   * @param cancel cancels the run; calls its argument, which tells the user, unless the run is over
   * @param say receives the message that the run is cancelled
   */
  static EarlyEnd start(
      Supplier<Optional<String>> why, Consumer<Runnable> cancel, Consumer<String> say) {
    EarlyEnd end = new EarlyEnd(why, cancel, say);
    end.watch.start();
    return end;
  }

  /** The reason that too many tasks did not succeed: {@code --max-failures}. */
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
   * The reason that no task so far has found its command, because the file is not in the directory
   * in which tasks start. If more than one worker is live, results from at least two are required,
   * because the command may be missing on a single worker only.
   *
   * @param tasks the number of the run's tasks; negative while unknown
   * @param liveWorkers the number of live workers; is called only if all other conditions hold
   * @param hint advice for the user
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

  private Optional<Duration> lookAgain() {
    return look() ? Optional.empty() : Optional.of(LOOK);
  }

  /** Cancels the run if there is a reason; returns whether watching is over. */
  boolean look() {
    try {
      Optional<String> reason = why.get();
      if (reason.isEmpty()) {
        return false;
      }
      cancel.accept(() -> tell(reason.get()));
      return true;
    } catch (CloudKonException e) {
      return false; // the next look tries again
    }
  }

  private void tell(String reason) {
    if (!told) {
      told = true;
      say.accept(reason + ", so the run is cancelled");
    }
  }

  /** Breaks off a cancel that is still under way: the client is done with the run. */
  @Override
  public void close() throws InterruptedException {
    watch.close();
  }
}
