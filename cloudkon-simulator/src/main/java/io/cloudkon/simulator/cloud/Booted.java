package io.cloudkon.simulator.cloud;

/** A worker that came up on a launched instance. */
public interface Booted {
  /** Whether it has ended or died. */
  boolean left();

  /** Whether it has ended regularly, and its instance with it. */
  boolean ended();

  /** Kills the worker, because its machine fails or is terminated. */
  void die();
}
