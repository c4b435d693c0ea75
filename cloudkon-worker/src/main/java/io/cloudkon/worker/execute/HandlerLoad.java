package io.cloudkon.worker.execute;

import io.cloudkon.core.error.UsageException;
import org.jspecify.annotations.Nullable;

/**
 * One load of the handlers of shipped jars. That runs code of the jars' authors (constructors,
 * static initializers, {@code name()}), so it happens on a thread that can be abandoned, as a
 * handler's call does. Used once.
 */
public final class HandlerLoad {
  private static final ScopedValue<HandlerLoad> CURRENT = ScopedValue.newInstance();

  private final HandlerSource source;
  private final HandlerRegistry own;
  private volatile boolean stopped;
  private volatile @Nullable HandlerRegistry loaded;

  HandlerLoad(HandlerSource source, HandlerRegistry own) {
    this.source = source;
    this.own = own;
  }

  /**
   * Whether the calling thread loads for a task that is over: what fails then may have failed
   * because of its interruption, however the jar's code reports that.
   */
  public static boolean isStopped() {
    return CURRENT.isBound() && CURRENT.get().stopped;
  }

  /** Begins to load, on a thread of its own. */
  HandlerCall.Started start() {
    return HandlerCall.start(
        new HandlerCall.Body(
            own,
            () -> {
              ScopedValue.where(CURRENT, this).run(() -> loaded = source.with(own));
              return null;
            }));
  }

  /** Notes that its task is over; its thread is interrupted after this. */
  void stop() {
    stopped = true;
  }

  /**
   * The handlers that a call which has ended has loaded.
   *
   * @throws UsageException if the jars cannot be loaded
   */
  HandlerRegistry result(HandlerCall call) {
    HandlerRegistry registry = loaded;
    if (registry != null) {
      return registry;
    }
    Throwable thrown = call.thrown();
    switch (thrown) {
      case UsageException mistake -> throw mistake;
      case OutOfMemoryError full -> throw full;
      case null, default ->
          throw new UsageException(
              "the handlers of shipped jars cannot be loaded: " + thrown, thrown);
    }
  }
}
