package io.cloudkon.worker.execute;

import io.cloudkon.core.error.UsageException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The handlers that a task may call, of which those in shipped jars are loaded first. That runs
 * code of the jar's author (constructors, static initializers, {@code name()}), so it happens on a
 * thread that can be abandoned, as a handler's call does. Used once.
 */
final class HandlerLoad {
  private final TaskEnvironment around;
  private final HandlerRegistry own;
  private final AtomicReference<@Nullable HandlerRegistry> loaded = new AtomicReference<>();

  HandlerLoad(TaskEnvironment around, HandlerRegistry own) {
    this.around = around;
    this.own = own;
  }

  /** Whether any code but the worker's own may run. */
  boolean runsForeignCode() {
    return !around.ships().isEmpty();
  }

  /** Loads on the calling thread. */
  HandlerRegistry here() {
    return around.handlers().apply(own);
  }

  /** Loads on a thread of its own. */
  HandlerCall.Started start() {
    return HandlerCall.start(
        new HandlerCall.Body(
            own,
            () -> {
              loaded.set(here());
              return null;
            }));
  }

  /**
   * What a call that has ended loaded.
   *
   * @throws UsageException if the jars cannot be loaded
   */
  HandlerRegistry result(HandlerCall call) {
    HandlerRegistry registry = loaded.get();
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
