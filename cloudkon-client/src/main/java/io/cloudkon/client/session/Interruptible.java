package io.cloudkon.client.session;

import io.cloudkon.client.run.RunOutcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs a thread's work before a run has begun, and interrupts it when the run is over. Thread safe.
 */
final class Interruptible {
  /** The work. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws InterruptedException;
  }

  private final RunOutcome outcome;
  private @Nullable Thread thread;

  Interruptible(RunOutcome outcome) {
    this.outcome = outcome;
  }

  /** Does the work; empty if the run was over before it was done. */
  <T> Optional<T> run(Work<T> work) throws InterruptedException {
    begin();
    try {
      return outcome.over() ? Optional.empty() : Optional.of(work.run());
    } catch (InterruptedException e) {
      if (!outcome.over()) {
        throw e;
      }
      return Optional.empty();
    } finally {
      end();
    }
  }

  private synchronized void begin() {
    thread = Thread.currentThread();
  }

  /** Clears an interrupt that came too late, so that it does not affect what follows. */
  private synchronized void end() {
    thread = null;
    if (outcome.over()) {
      boolean unused = Thread.interrupted();
    }
  }

  /** Interrupts the work. To be called when the run is over. */
  synchronized void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
