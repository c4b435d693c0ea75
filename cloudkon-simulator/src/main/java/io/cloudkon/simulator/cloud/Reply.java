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
}
