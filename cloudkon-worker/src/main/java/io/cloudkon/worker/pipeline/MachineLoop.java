package io.cloudkon.worker.pipeline;

import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The loop of the one thread that owns state machines. It hands them the events of their callers
 * one by one, and a tick every 50 ms, or sooner if they must decide something. Ticks are never late
 * because events wait.
 */
public final class MachineLoop {
  /** The time between two ticks in nanoseconds, at most. */
  public static final long TICK_NANOS = WorkerSettings.TICK_MILLIS * 1_000_000;

  private MachineLoop() {}

  /** Where the events come from. */
  public interface Events<E> {
    /** The next event; null if none arrives within that many nanoseconds. */
    @Nullable E poll(long nanos) throws InterruptedException;
  }

  /** The state machines, and what is done with their effects. */
  public interface Machines<E> {
    /** Whether the loop is to end. */
    boolean ended();

    /** Handles an event. */
    void on(E event);

    /** Handles the passing of time. */
    void tick();

    /** The nanoseconds until the next decision; more than a tick counts as a tick. */
    default long decidesInNanos() {
      return TICK_NANOS;
    }
  }

  /** Runs until the state machines have ended. */
  public static <E> void run(Machines<E> machines, Events<E> events, TimeSource time)
      throws InterruptedException {
    long nextTick = time.monotonicNanos();
    while (!machines.ended()) {
      long wait = nextTick - time.monotonicNanos();
      E event = wait <= 0 ? null : events.poll(wait);
      if (event == null) {
        nextTick = time.monotonicNanos() + TICK_NANOS;
        machines.tick();
      } else {
        machines.on(event);
      }
      nextTick = Math.min(nextTick, time.monotonicNanos() + machines.decidesInNanos());
    }
  }
}
