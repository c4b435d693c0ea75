package io.cloudkon.worker.execute;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A switch that stops running tasks from outside. It serves a single task, or all tasks of a
 * bundle, which are killed together when the lease is lost. Once killed it stays killed: a task
 * that is submitted afterwards does not start. Thread safe.
 */
public final class Interruption {
  /** A few at most, as each slot adds one; a hash set costs more than its search saves. */
  private final List<Runnable> stoppers = new ArrayList<>(1);

  private volatile @Nullable String reason;

  /**
   * Stops the tasks under this switch, and returns at once without waiting for them to end. The
   * first reason is kept.
   */
  public void kill(String why) {
    List<Runnable> running;
    synchronized (this) {
      if (reason == null) {
        reason = why;
      }
      running = List.copyOf(stoppers);
    }
    running.forEach(Runnable::run);
  }

  /** Whether {@link #kill} was called. */
  public boolean killed() {
    return reason != null;
  }

  void check() throws TaskInterruptedException {
    if (reason != null) {
      throw exception();
    }
  }

  TaskInterruptedException exception() {
    return new TaskInterruptedException(why());
  }

  /** The exception for a command that ended this way. */
  TaskInterruptedException exception(TaskOutcome unfinished) {
    return new TaskInterruptedException(why(), unfinished.stuck(), unfinished);
  }

  /** The exception for a handler; {@code stuck} if it could not be stopped. */
  TaskInterruptedException exception(boolean stuck) {
    return new TaskInterruptedException(why(), stuck);
  }

  private String why() {
    String why = reason;
    return why == null ? "its slot was interrupted" : why;
  }

  /** A switch for one task, killed with this one or by itself. Close it when the task has ended. */
  public OfTask ofTask() {
    Interruption own = new Interruption();
    return new OfTask(own, onKill(() -> own.kill(why())));
  }

  /** One task's switch. */
  public record OfTask(Interruption interruption, Registration registration)
      implements AutoCloseable {
    @Override
    public void close() {
      registration.close();
    }
  }

  /** Runs the stopper at each kill, in the killer's thread; here, if it is already killed. */
  public Registration onKill(Runnable stopper) {
    boolean already;
    synchronized (this) {
      stoppers.add(stopper);
      already = killed();
    }
    if (already) {
      stopper.run();
    }
    return () -> forget(stopper);
  }

  private synchronized void forget(Runnable stopper) {
    stoppers.remove(stopper);
  }

  /** Removes a stopper that {@link #onKill} added. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}
