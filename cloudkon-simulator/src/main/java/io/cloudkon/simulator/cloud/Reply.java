package io.cloudkon.simulator.cloud;

import org.jspecify.annotations.Nullable;

/** Receives the answer to a call. */
@FunctionalInterface
public interface Reply<T> {
  /**
   * Receives the answer.
   *
   * @param answer null if the call failed transiently; it may or may not have taken effect
   */
  void of(@Nullable T answer);

  /**
   * Called if a policy denies the call, which had no effect. By default handled as a transient
   * failure.
   */
  default void refused() {
    of(null);
  }

  /** A reply that handles a refusal separately. */
  static <T> Reply<T> orRefused(Reply<T> answered, Runnable refused) {
    return new Reply<>() {
      @Override
      public void of(@Nullable T answer) {
        answered.of(answer);
      }

      @Override
      public void refused() {
        refused.run();
      }
    };
  }
}
