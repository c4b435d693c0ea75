package io.cloudkon.worker.execute;

/** Where the handlers of a {@code java} task come from. Thread safe. */
@FunctionalInterface
public interface HandlerSource {
  /** Only the worker's own handlers. */
  HandlerSource OWN =
      new HandlerSource() {
        @Override
        public HandlerRegistry with(HandlerRegistry own) {
          return own;
        }

        @Override
        public boolean ready() {
          return true;
        }
      };

  /**
   * The worker's own handlers and those of the task's run. May run code of its jars, and wait.
   *
   * @throws io.cloudkon.core.error.UsageException if they cannot be loaded
   */
  HandlerRegistry with(HandlerRegistry own);

  /** Whether they are loaded, so that {@link #with} neither runs code of a jar nor waits. */
  default boolean ready() {
    return false;
  }
}
