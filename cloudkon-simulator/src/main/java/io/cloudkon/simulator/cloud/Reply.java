package io.cloudkon.simulator.cloud;

import org.jspecify.annotations.Nullable;

/** Takes a call's answer. */
@FunctionalInterface
public interface Reply<T> {
  /**
   * The answer.
   *
   * @param answer null if the call failed in passing: it may or may not have taken effect
   */
  void of(@Nullable T answer);

  /**
   * A policy does not allow the call, which had no effect. For a caller that does not tell this
   * apart it failed in passing.
   */
  default void refused() {
    of(null);
  }

  /** Takes the answer, and tells a refusal apart. */
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
