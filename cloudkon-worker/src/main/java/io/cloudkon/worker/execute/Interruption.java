package io.cloudkon.worker.execute;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A switch by which running tasks are stopped from outside. One may serve a single task or all
 * tasks of a bundle, which die together when the lease is lost. Once killed it stays killed: a task
 * that is handed in afterwards does not start. Thread safe.
 */
public final class Interruption {
  private final Set<Runnable> stoppers = ConcurrentHashMap.newKeySet();
  private volatile @Nullable String reason;

  /**
   * Stops what runs under this switch and returns at once, without waiting for it to end. The first
   * reason stands.
   */
  public void kill(String why) {
    synchronized (this) {
      if (reason == null) {
        reason = why;
      }
    }
    stoppers.forEach(Runnable::run);
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

  /** Of a command that ended so. */
  TaskInterruptedException exception(TaskOutcome unfinished) {
    return new TaskInterruptedException(why(), unfinished.stuck(), unfinished);
  }

  /** Of a handler; {@code stuck} if it could not be stopped. */
  TaskInterruptedException exception(boolean stuck) {
    return new TaskInterruptedException(why(), stuck);
  }

  private String why() {
    String why = reason;
    return why == null ? "its slot was interrupted" : why;
  }

  /**
   * A switch for one of its tasks: killed with this one, or by itself. Closed when that has ended.
   */
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

  /** Runs this when killed, in the killer's thread; twice in a race, never not at all. */
  Registration onKill(Runnable stopper) {
    stoppers.add(stopper);
    if (killed()) {
      stopper.run();
    }
    return () -> stoppers.remove(stopper);
  }

  /** Ends what {@link #onKill} began. */
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}
